package bags

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"stripswm/msgs"
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
	// Offset is where the broken part begins: a byte of the file, row of a database or line of a
	// table; -1 if not known.
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
	return &Fault{File: file, Offset: offset, Index: -1, Kind: kind,
		Detail: fmt.Sprintf(format, args...)}
}

func metadataFault(format string, args ...any) *Fault {
	return faultAt(metadataName, -1, ErrMetadata, format, args...)
}

// A Class says what can be done with a recording.
type Class int

const (
	// Intact: every check passed.
	Intact Class = iota
	// Repairable: something is wrong, and Repair makes a whole recording of the rest.
	Repairable
	// Unusable: not one message is whole.
	Unusable
)

// String returns "intact", "repairable" or "unusable".
func (c Class) String() string { return [...]string{"intact", "repairable", "unusable"}[c] }

// ExitCode is what a program that checks recordings exits with: 0 intact, 3 repairable (or
// repaired), 1 unusable.
func (c Class) ExitCode() int { return [...]int{0, 3, 1}[c] }

// MarshalText is String, for JSON.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// A Report is what Check found in a recording.
type Report struct {
	Path        string        `json:"path"`
	Class       Class         `json:"class"`
	Bytes       int64         `json:"bytes"`
	Messages    int           `json:"messages"` // whole ones
	Topics      []TopicReport `json:"topics"`   // by name
	Images      int           `json:"images"`
	Transitions int           `json:"transitions"` // attempts; Succeeded + Refused + Failed
	msgs.Tally
	Amended      int            `json:"amended"` // attempts whose outcome was changed afterwards
	Actions      map[uint32]int `json:"actions"` // attempts by action id
	Start        time.Time      `json:"start"`   // receive time of the first message
	Duration     time.Duration  `json:"duration_ns"`
	Lost         int            `json:"lost"` // transitions that are not whole, as far as is known
	FaultCount   int            `json:"fault_count"`
	Faults       []*Fault       `json:"faults"`          // the first ones
	Notes        []string       `json:"notes,omitempty"` // what is odd or was not checked
	killed       bool           // nothing is wrong but what a kill leaves
	end          int64
	startNs      int64
	topicsByName map[string]*TopicReport
}

// A TopicReport sums up one topic.
type TopicReport struct {
	Name     string         `json:"name"`
	Type     string         `json:"type"`
	Messages int            `json:"messages"`
	Formats  map[string]int `json:"formats,omitempty"`  // of images: "64x64 rgb8"
	Encoding string         `json:"encoding,omitempty"` // of messages that are not in CDR
}

func (r *Report) add(f *Fault) {
	r.FaultCount++
	if len(r.Faults) < maxFaults {
		r.Faults = append(r.Faults, f)
	}
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

func (r *Report) topic(t *Topic) *TopicReport {
	known := r.topicsByName[t.Name]
	if known == nil {
		known = &TopicReport{Name: t.Name, Type: t.Type, Encoding: t.Encoding}
		r.topicsByName[t.Name] = known
	}
	return known
}

// sizes lists the sizes of the images, with how many there are of each: "64x48 (7)".
func (t *TopicReport) sizes() []string {
	counts := map[string]int{}
	for format, n := range t.Formats {
		size, _, _ := strings.Cut(format, " ")
		counts[size] += n
	}
	var list []string
	for _, size := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s (%d)", size, counts[size]))
	}
	return list
}

func (r *Report) received(ns int64) {
	if r.Messages == 0 {
		r.startNs, r.end = ns, ns
	}
	r.startNs, r.end = min(r.startNs, ns), max(r.end, ns)
}

// finish makes notes of the topics, and sets what follows from the counts.
func (r *Report) finish() {
	for _, t := range r.topicsByName {
		r.Topics = append(r.Topics, *t)
	}
	slices.SortFunc(r.Topics, func(a, b TopicReport) int { return strings.Compare(a.Name, b.Name) })
	for _, t := range r.Topics {
		if sizes := t.sizes(); len(sizes) > 1 {
			r.note("%s: images of different sizes, %s: see that all show the same part of the scene",
				t.Name, strings.Join(sizes, ", "))
		}
		if t.Encoding != "" {
			r.note("%s: %d messages encoded in %q, not in cdr: counted, not decoded", t.Name, t.Messages,
				t.Encoding)
		}
	}
	if r.Messages > 0 {
		r.Start, r.Duration = time.Unix(0, r.startNs).UTC(), time.Duration(r.end-r.startNs)
	}
	switch {
	case r.FaultCount == 0:
		r.Class = Intact
	case r.Messages == 0:
		r.Class = Unusable
	default:
		r.Class = Repairable
	}
}

// String is the report for people, some lines.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Path, r.Class)
	fmt.Fprintf(&b, "%d messages, %d bytes, %s from %s\n", r.Messages, r.Bytes,
		r.Duration.Round(time.Millisecond), r.Start.Format(time.RFC3339))
	fmt.Fprintf(&b, "%d transitions of %d actions: %s; %d images\n",
		r.Transitions, len(r.Actions), r.Tally, r.Images)
	for _, t := range r.Topics {
		fmt.Fprintf(&b, "  %-30s %-40s %d\n", t.Name, t.Type, t.Messages)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	if r.FaultCount == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "%d faults, %d transitions lost:\n", r.FaultCount, r.Lost)
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "  %s\n", f)
	}
	if more := r.FaultCount - len(r.Faults); more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	return b.String()
}
