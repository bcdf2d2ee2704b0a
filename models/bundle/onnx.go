package bundle

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field numbers of onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).
const (
	modelGraph     protowire.Number = 7
	graphInput     protowire.Number = 11
	graphOutput    protowire.Number = 12
	valueType      protowire.Number = 2
	typeTensor     protowire.Number = 1
	tensorShape    protowire.Number = 2
	shapeDimension protowire.Number = 1
	dimensionValue protowire.Number = 1
)

// maxValueInfo bounds one description of an input or output; real ones have some 50 bytes.
const maxValueInfo = 1 << 16

// maxValues bounds how many inputs or outputs are read.
const maxValues = 64

// readShapes reads the shapes of a network's inputs and outputs from an ONNX file, -1 for a
// symbolic dimension. It streams: weights are skipped, not kept.
func readShapes(r io.Reader) (inputs, outputs [][]int64, err error) {
	in := bufio.NewReader(r)
	found := false
	err = fields(in, -1, func(n protowire.Number, size int64) (bool, error) {
		if n != modelGraph {
			return false, nil
		}
		found = true
		return true, fields(in, size, func(n protowire.Number, size int64) (bool, error) {
			if n != graphInput && n != graphOutput {
				return false, nil
			}
			if size > maxValueInfo || len(inputs)+len(outputs) >= maxValues {
				return false, errors.New("too many or too large descriptions of inputs and outputs")
			}
			info := make([]byte, size)
			if _, err := io.ReadFull(in, info); err != nil {
				return false, err
			}
			s, err := shape(info)
			if n == graphInput {
				inputs = append(inputs, s)
			} else {
				outputs = append(outputs, s)
			}
			return true, err
		})
	})
	if err == nil && !found {
		err = errors.New("no graph in the file")
	}
	return inputs, outputs, err
}

// fields walks the fields of one message of size bytes (-1: to the end of the file). It calls each
// for the length-delimited ones; each reads all of the field's bytes and returns true, or returns
// false to skip them.
func fields(in *bufio.Reader, size int64, each func(protowire.Number, int64) (bool, error)) error {
	counted := &counter{in: in}
	for size < 0 || counted.n < size {
		if _, err := in.Peek(1); size < 0 && errors.Is(err, io.EOF) {
			return nil
		}
		tag, err := binary.ReadUvarint(counted)
		if err != nil {
			return damaged(err)
		}
		number, wire := protowire.DecodeTag(tag)
		if number < protowire.MinValidNumber {
			return errors.New("not a protobuf message")
		}
		var length uint64
		switch wire {
		case protowire.VarintType:
			if _, err := binary.ReadUvarint(counted); err != nil {
				return damaged(err)
			}
			continue
		case protowire.Fixed32Type:
			length = 4
		case protowire.Fixed64Type:
			length = 8
		case protowire.BytesType:
			if length, err = binary.ReadUvarint(counted); err != nil {
				return damaged(err)
			}
		default:
			return fmt.Errorf("not a protobuf message: wire type %d", wire)
		}
		if length > MaxPartBytes || size >= 0 && int64(length) > size-counted.n {
			return fmt.Errorf("field %d has %d bytes, more than the message that holds it", number, length)
		}
		read := false
		if wire == protowire.BytesType {
			if read, err = each(number, int64(length)); err != nil {
				return err
			}
		}
		if !read {
			if _, err := in.Discard(int(length)); err != nil {
				return damaged(err)
			}
		}
		counted.n += int64(length)
	}
	if size >= 0 && counted.n != size {
		return errors.New("a field ends outside the message that holds it")
	}
	return nil
}

func damaged(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// counter counts the bytes of tags and lengths.
type counter struct {
	in *bufio.Reader
	n  int64
}

func (c *counter) ReadByte() (byte, error) {
	b, err := c.in.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// shape reads the dimensions of a ValueInfoProto.
func shape(info []byte) ([]int64, error) {
	for _, n := range []protowire.Number{valueType, typeTensor, tensorShape} {
		var err error
		if info, err = last(info, n); err != nil {
			return nil, err
		}
	}
	dims := []int64{}
	err := each(info, func(n protowire.Number, _ uint64, dim []byte) error {
		if n != shapeDimension {
			return nil
		}
		value := int64(-1)
		err := each(dim, func(n protowire.Number, v uint64, _ []byte) error {
			if n == dimensionValue {
				value = int64(v)
			}
			return nil
		})
		dims = append(dims, value)
		return err
	})
	return dims, err
}

// last is the content of a message's field; an absent one is empty, as protobuf has it.
func last(message []byte, number protowire.Number) (content []byte, err error) {
	err = each(message, func(n protowire.Number, _ uint64, b []byte) error {
		if n == number {
			content = b
		}
		return nil
	})
	return content, err
}

func each(message []byte, f func(n protowire.Number, v uint64, b []byte) error) error {
	for len(message) > 0 {
		number, wire, size := protowire.ConsumeTag(message)
		if size < 0 {
			return protowire.ParseError(size)
		}
		message = message[size:]
		size = protowire.ConsumeFieldValue(number, wire, message)
		if size < 0 {
			return protowire.ParseError(size)
		}
		var v uint64
		var b []byte
		switch wire {
		case protowire.VarintType:
			v, _ = protowire.ConsumeVarint(message)
		case protowire.BytesType:
			b, _ = protowire.ConsumeBytes(message)
		}
		if err := f(number, v, b); err != nil {
			return err
		}
		message = message[size:]
	}
	return nil
}
