package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A definition is one message: a .msg file, or one part of a .srv or .action file.
type definition struct {
	Package   string // "sensor_msgs"
	Kind      string // "msg", "srv" or "action"
	Name      string // "Image", "Trigger_Request", "PlanToImage_Goal"
	Text      string // as written, for schemas
	Fields    []field
	Constants []constant
}

// ROSType is the name by which ROS 2 knows the message: "sensor_msgs/msg/Image".
func (d *definition) ROSType() string { return d.Package + "/" + d.Kind + "/" + d.Name }

// key is how other definitions refer to it: "sensor_msgs/Image".
func (d *definition) key() string { return d.Package + "/" + d.Name }

type field struct {
	Name    string
	Base    string // a primitive ("uint8") or "package/Name"
	Array   arrayKind
	Size    int // length of a fixed array, or the bound of a sequence (0: none)
	StrSize int // bound of a string (0: none)
}

type arrayKind int

const (
	single arrayKind = iota
	fixed
	sequence
)

type constant struct{ Base, Name, Value string }

var primitives = map[string]struct {
	Go     string // Go type
	Method string // suffix of the codec's methods
	Size   int    // fewest bytes on the wire
}{
	"bool": {"bool", "Bool", 1}, "byte": {"uint8", "Uint8", 1}, "char": {"uint8", "Uint8", 1},
	"int8": {"int8", "Int8", 1}, "uint8": {"uint8", "Uint8", 1},
	"int16": {"int16", "Int16", 2}, "uint16": {"uint16", "Uint16", 2},
	"int32": {"int32", "Int32", 4}, "uint32": {"uint32", "Uint32", 4},
	"int64": {"int64", "Int64", 8}, "uint64": {"uint64", "Uint64", 8},
	"float32": {"float32", "Float32", 4}, "float64": {"float64", "Float64", 8},
	"string": {"string", "String", 4},
}

var (
	typePattern  = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_]*(?:/[A-Za-z][A-Za-z0-9_]*)?)(<=\d+)?(\[(?:(<=)?(\d+))?\])?$`)
	fieldPattern = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	constPattern = regexp.MustCompile(`^([A-Z][A-Z0-9_]*)\s*=\s*(.+)$`)
)

// parse reads the text of one message.
func parse(pkg, kind, name, text string) (*definition, error) {
	d := &definition{Package: pkg, Kind: kind, Name: name, Text: text}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if err := d.addLine(line); err != nil {
			return nil, fmt.Errorf("%s line %d: %w", d.ROSType(), i+1, err)
		}
	}
	return d, nil
}

func (d *definition) addLine(line string) error {
	typ, rest, ok := strings.Cut(line, " ")
	if !ok {
		return fmt.Errorf("%q is neither a field nor a constant", line)
	}
	rest = strings.TrimSpace(rest)
	if m := constPattern.FindStringSubmatch(rest); m != nil {
		if _, ok := primitives[typ]; !ok {
			return fmt.Errorf("constant %s: type %q is not a primitive", m[1], typ)
		}
		d.Constants = append(d.Constants, constant{typ, m[1], strings.TrimSpace(m[2])})
		return nil
	}
	if !fieldPattern.MatchString(rest) {
		return fmt.Errorf("field name %q: want lower case, digits and underscores, and no default value",
			rest)
	}
	f, err := parseType(d.Package, typ)
	if err != nil {
		return fmt.Errorf("field %s: %w", rest, err)
	}
	f.Name = rest
	d.Fields = append(d.Fields, f)
	return nil
}

func parseType(pkg, typ string) (field, error) {
	m := typePattern.FindStringSubmatch(typ)
	if m == nil {
		return field{}, fmt.Errorf("type %q is not understood", typ)
	}
	f := field{Base: m[1]}
	if _, ok := primitives[f.Base]; !ok && !strings.Contains(f.Base, "/") {
		f.Base = pkg + "/" + f.Base
	}
	if m[2] != "" {
		if f.Base != "string" {
			return field{}, fmt.Errorf("type %q: only strings have bounds", typ)
		}
		f.StrSize, _ = strconv.Atoi(m[2][2:])
	}
	if m[3] == "" {
		return f, nil
	}
	f.Array = sequence
	if m[5] == "" {
		return f, nil
	}
	size, err := strconv.Atoi(m[5])
	if err != nil || size == 0 {
		return field{}, fmt.Errorf("type %q: bad array length", typ)
	}
	f.Size = size
	if m[4] == "" {
		f.Array = fixed
	}
	return f, nil
}
