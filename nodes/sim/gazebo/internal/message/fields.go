package message

import (
	"errors"
	"fmt"
	"math"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// ErrWire is wrapped for bytes that are not a message of Gazebo.
var ErrWire = errors.New("not gazebo's transport")

// Field is one of a protobuf message: a number, or bytes.
type Field struct {
	Number protowire.Number
	Value  uint64 // of varints and fixed numbers, as bits
	Bytes  []byte
}

// Fields takes a message apart.
func Fields(message []byte, visit func(Field) error) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return fmt.Errorf("%w: %w", ErrWire, protowire.ParseError(n))
		}
		message = message[n:]
		f := Field{Number: number}
		switch kind {
		case protowire.VarintType:
			f.Value, n = protowire.ConsumeVarint(message)
		case protowire.Fixed64Type:
			f.Value, n = protowire.ConsumeFixed64(message)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(message)
			f.Value = uint64(v)
		case protowire.BytesType:
			f.Bytes, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return fmt.Errorf("%w: field %d: %w", ErrWire, number, protowire.ParseError(n))
		}
		message = message[n:]
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// Bytes appends a field of bytes, of text or of another message.
func Bytes(b []byte, number protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), v)
}

// Text appends a field of text.
func Text(b []byte, number protowire.Number, v string) []byte { return Bytes(b, number, []byte(v)) }

// Varint appends a field of a whole number.
func Varint(b []byte, number protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), v)
}

// doubles appends numbers, the first of which has the number first.
func doubles(b []byte, first protowire.Number, values []float64) []byte {
	for i, v := range values {
		b = protowire.AppendTag(b, first+protowire.Number(i), protowire.Fixed64Type)
		b = protowire.AppendFixed64(b, math.Float64bits(v))
	}
	return b
}

// parseDoubles reads what doubles writes; what is missing is 0, as protobuf has it.
func parseDoubles(message []byte, first protowire.Number, into []float64) error {
	return Fields(message, func(f Field) error {
		if i := int(f.Number - first); i >= 0 && i < len(into) {
			into[i] = math.Float64frombits(f.Value)
		}
		return nil
	})
}

// Time reads gazebo.msgs.Time and gz.msgs.Time.
func Time(message []byte) (time.Duration, error) {
	var t time.Duration
	err := Fields(message, func(f Field) error {
		switch f.Number {
		case 1:
			t += time.Duration(int32(f.Value)) * time.Second
		case 2:
			t += time.Duration(int32(f.Value))
		}
		return nil
	})
	return t, err
}
