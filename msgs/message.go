package msgs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

//go:generate go run ./internal/gen

// A Message is one ROS 2 message, request, response, goal, result or feedback.
type Message interface {
	// ROSType is the name by which ROS 2 knows the type: "sensor_msgs/msg/Image".
	ROSType() string
	MarshalCDR(*Encoder)
	UnmarshalCDR(*Decoder)
}

// ByteOrder is the second byte of the encapsulation header.
type ByteOrder byte

// The two byte orders of CDR. ROS 2 writes the one of its machine, nearly always LittleEndian.
const (
	BigEndian    ByteOrder = 0
	LittleEndian ByteOrder = 1
)

// Marshal returns the message in little-endian CDR, with the encapsulation header: the payload of a
// DDS sample and of a message in a bag.
func Marshal(m Message) ([]byte, error) { return MarshalAppend(nil, m, LittleEndian) }

// MarshalAppend appends the payload to dst.
func MarshalAppend(dst []byte, m Message, order ByteOrder) ([]byte, error) {
	e := NewEncoder(dst, order)
	m.MarshalCDR(e)
	payload, err := e.Bytes()
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", m.ROSType(), err)
	}
	return payload, nil
}

// Unmarshal reads a payload of either byte order into m, which keeps no part of the payload.
func Unmarshal(payload []byte, m Message) error { return unmarshal(payload, m, false) }

// UnmarshalNoCopy is Unmarshal without copying byte sequences: pixels in m are a part of the
// payload, which must not change as long as m is in use.
func UnmarshalNoCopy(payload []byte, m Message) error { return unmarshal(payload, m, true) }

func unmarshal(payload []byte, m Message, alias bool) error {
	d := NewDecoder(payload)
	d.alias = alias
	m.UnmarshalCDR(d)
	if err := d.Finish(); err != nil {
		return fmt.Errorf("decode %s: %w", m.ROSType(), err)
	}
	return nil
}

type definition struct {
	new  func() Message
	deps []string
	text string
}

// New returns a zero message of the type, or false if this package has no such type.
func New(rosType string) (Message, bool) {
	d, ok := definitions[rosType]
	if !ok {
		return nil, false
	}
	return d.new(), true
}

// Schema returns the definition of the type and of all it contains, as MCAP's "ros2msg" encoding
// wants it, or false if this package has no such type.
func Schema(rosType string) (string, bool) {
	d, ok := definitions[rosType]
	if !ok {
		return "", false
	}
	var b strings.Builder
	b.WriteString(d.text)
	for _, dep := range d.deps {
		pkg, rest, _ := strings.Cut(dep, "/")
		_, name, _ := strings.Cut(rest, "/")
		fmt.Fprintf(&b, "%s\nMSG: %s/%s\n%s", strings.Repeat("=", 80), pkg, name, definitions[dep].text)
	}
	return b.String(), true
}

// Types returns the ROS names of all message types, sorted.
func Types() []string { return slices.Sorted(maps.Keys(definitions)) }
