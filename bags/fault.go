package bags

import (
	"errors"
	"fmt"
	"strings"
)

// What can be wrong with a recording. A Fault wraps one of these.
var (
	// ErrNoBag: the path holds no recording at all.
	ErrNoBag = errors.New("not a recording")
	// ErrTruncated: the file ends early, as it does when the recorder was killed.
	ErrTruncated = errors.New("the file ends early")
	// ErrDamaged: bytes differ from what was written, or never were a bag's.
	ErrDamaged = errors.New("damaged")
	// ErrMetadata: metadata.yaml is missing, cannot be read, or disagrees with the data.
	ErrMetadata = errors.New("bad metadata.yaml")
	// ErrImage: an image cannot be decoded.
	ErrImage = errors.New("bad image")
	// ErrTransition: a transition's action, outcome or times are not valid.
	ErrTransition = errors.New("bad transition")
	// ErrReference: a transition refers to an image that is not in the bag before it.
	ErrReference = errors.New("missing image")
	// ErrUnsupported: the recording may be whole, but is stored in a way that this package does not
	// read.
	ErrUnsupported = errors.New("unsupported")
)

// A Fault says what is wrong in a recording, and where.
type Fault struct {
	File string // data file, relative to the recording; "" if it is about the whole
	// byte in the file, row in a database or line of a table, at which the broken part begins; -1 if
	// not known
	Offset int64
	Topic  string // "" if not known
	Index  int    // message on the topic, counted from 0; -1 if not known
	Kind   error  // one of the errors of this package, or fs.ErrNotExist
	Detail string
}

// Error puts the place before the problem: "run_0.mcap: byte 120: /camera[3]: bad image: ...".
func (f *Fault) Error() string {
	var b strings.Builder
	if f.File != "" {
		b.WriteString(f.File + ": ")
	}
	switch {
	case f.Offset >= 0 && f.File == TableName:
		fmt.Fprintf(&b, "line %d: ", f.Offset)
	case f.Offset >= 0:
		fmt.Fprintf(&b, "byte %d: ", f.Offset)
	}
	switch {
	case f.Topic != "" && f.Index >= 0:
		fmt.Fprintf(&b, "%s[%d]: ", f.Topic, f.Index)
	case f.Topic != "":
		b.WriteString(f.Topic + ": ")
	}
	b.WriteString(f.Kind.Error())
	if f.Detail != "" {
		b.WriteString(": " + f.Detail)
	}
	return b.String()
}

// Unwrap returns Kind.
func (f *Fault) Unwrap() error { return f.Kind }

// MarshalText lets reports in JSON carry faults as sentences.
func (f *Fault) MarshalText() ([]byte, error) { return []byte(f.Error()), nil }

func faultAt(file string, offset int64, kind error, format string, args ...any) *Fault {
	return &Fault{File: file, Offset: offset, Index: -1, Kind: kind, Detail: fmt.Sprintf(format,
		args...)}
}
