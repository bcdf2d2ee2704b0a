package msgs

import (
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
)

// A Message is one ROS 2 message, request, response, goal, result or feedback: a pointer to a
// struct whose exported fields are those of the definition, in its order.
type Message interface {
	// ROSType is the name by which ROS 2 knows the type: "sensor_msgs/msg/Image". It must not read
	// the message, which may be nil.
	ROSType() string
}

// ByteOrder is the second byte of the encapsulation header.
type ByteOrder byte

// The two byte orders of CDR. ROS 2 writes the one of its machine, nearly always LittleEndian.
const (
	BigEndian    ByteOrder = 0
	LittleEndian ByteOrder = 1
)

func (o ByteOrder) binary() interface {
	binary.ByteOrder
	binary.AppendByteOrder
} {
	if o == BigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Marshal returns the message in little-endian CDR, with the encapsulation header: the payload of a
// DDS sample and of a message in a bag.
func Marshal(m Message) ([]byte, error) { return MarshalAppend(nil, m, LittleEndian) }

// MarshalAppend appends the payload to dst.
func MarshalAppend(dst []byte, m Message, order ByteOrder) ([]byte, error) {
	e := NewEncoder(dst, order)
	encode(e, m)
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
	decode(d, m)
	if err := d.Finish(); err != nil {
		return fmt.Errorf("decode %s: %w", m.ROSType(), err)
	}
	return nil
}

// goTypes are the structs of all messages by ROS type.
var goTypes = sync.OnceValue(func() map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for _, m := range slices.Concat(stripsWM, standard, node) {
		types[m.ROSType()] = reflect.TypeOf(m).Elem()
	}
	return types
})

// New returns a zero message of the type, or false if this package has no such type.
func New(rosType string) (Message, bool) {
	t, ok := goTypes()[rosType]
	if !ok {
		return nil, false
	}
	return reflect.New(t).Interface().(Message), true
}

// Types returns the ROS names of all message types, sorted.
func Types() []string { return slices.Sorted(maps.Keys(goTypes())) }
