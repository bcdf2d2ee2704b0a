package msgs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A FieldReader reads one field of messages of any type, by the type's definition, where this
// package has no Go type.
type FieldReader struct {
	types map[string][]member // by short name
	root  string
	path  []string
}

// NewFieldReader takes a definition as MCAP's "ros2msg" encoding has it, and a path such as "data"
// or "header.frame_id" to a string, an integer or a bool that is in no array.
func NewFieldReader(rosType, definition, path string) (*FieldReader, error) {
	root := shortName(rosType)
	types, err := parseSchema(root, definition)
	if err != nil {
		return nil, err
	}
	r := &FieldReader{types: types, root: root, path: strings.Split(path, ".")}
	return r, r.check(r.root, r.path)
}

// check finds the field in the definitions, and says what there is where it is not.
func (r *FieldReader) check(name string, path []string) error {
	var names []string
	seen := map[string]bool{}
	for _, m := range r.types[name] {
		names = append(names, m.name)
		if m.name != path[0] {
			if err := r.passable(m.base, seen); err != nil {
				return fmt.Errorf("field %s of %s comes after %s: %w", path[0], name, m.name, err)
			}
			continue
		}
		_, plain := texts[m.base]
		switch {
		case m.base == wide:
			return fmt.Errorf("field %s of %s: %w", m.name, name, errWide)
		case m.array != single, plain == (len(path) > 1),
			plain && strings.HasPrefix(m.base, "float"):
			return fmt.Errorf("field %s of %s is not a string, integer or bool", m.name, name)
		case plain:
			return nil
		}
		return r.check(m.base, path[1:])
	}
	return fmt.Errorf("%s has no field %q; it has %s", name, path[0], strings.Join(names, ", "))
}

// wide is the string type of which each middleware has an encoding of its own.
const wide = "wstring"

var errWide = errors.New("wstring has no one encoding, and is not read; use a string")

// passable says whether a value of a type can be stepped over. Types that were seen can be, or are
// being looked at: those contain themselves.
func (r *FieldReader) passable(name string, seen map[string]bool) error {
	done, known := seen[name]
	_, plain := texts[name]
	members := r.types[name]
	switch {
	case plain || done:
		return nil
	case name == wide:
		return errWide
	case known || members == nil:
		return fmt.Errorf("the definition of %s is missing, or contains itself", name)
	}
	seen[name] = false
	for _, m := range members {
		if err := r.passable(m.base, seen); err != nil {
			return err
		}
	}
	seen[name] = true
	return nil
}

// Text is the field's value in a CDR payload, as text.
func (r *FieldReader) Text(payload []byte) (string, error) {
	d := NewDecoder(payload)
	text := r.read(d, r.root, r.path)
	if err := d.Err(); err != nil {
		return "", fmt.Errorf("read %s of %s: %w", strings.Join(r.path, "."), r.root, err)
	}
	return text, nil
}

// read steps over what comes before the path's field; without a path, over the whole message.
func (r *FieldReader) read(d *Decoder, name string, path []string) string {
	if read, plain := texts[name]; plain {
		return read(d)
	}
	for _, m := range r.types[name] {
		if len(path) > 0 && m.name == path[0] {
			return r.read(d, m.base, path[1:])
		}
		n := 1
		switch m.array {
		case fixed:
			n = m.size
		case sequence:
			n = d.GetLen(1)
		}
		for ; n > 0 && d.Err() == nil; n-- {
			r.read(d, m.base, nil)
		}
	}
	return ""
}

// texts read a primitive as text.
var texts = map[string]func(*Decoder) string{
	"bool": func(d *Decoder) string { return strconv.FormatBool(d.GetBool()) },
	"byte": unsigned((*Decoder).GetUint8), "char": unsigned((*Decoder).GetUint8),
	"uint8":  unsigned((*Decoder).GetUint8),
	"uint16": unsigned((*Decoder).GetUint16), "uint32": unsigned((*Decoder).GetUint32),
	"uint64": unsigned((*Decoder).GetUint64),
	"int8":   signed((*Decoder).GetInt8), "int16": signed((*Decoder).GetInt16),
	"int32": signed((*Decoder).GetInt32), "int64": signed((*Decoder).GetInt64),
	// stepped over only
	"float32": unsigned((*Decoder).GetUint32), "float64": unsigned((*Decoder).GetUint64),
	"string": (*Decoder).GetString,
}

func unsigned[T uint8 | uint16 | uint32 | uint64](get func(*Decoder) T) func(*Decoder) string {
	return func(d *Decoder) string { return strconv.FormatUint(uint64(get(d)), 10) }
}

func signed[T int8 | int16 | int32 | int64](get func(*Decoder) T) func(*Decoder) string {
	return func(d *Decoder) string { return strconv.FormatInt(int64(get(d)), 10) }
}
