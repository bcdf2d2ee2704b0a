package classic

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// ErrWire is returned for bytes that are not Gazebo classic's transport.
var ErrWire = errors.New("not gazebo's transport")

// maxMessage bounds a message: a picture of 4096 x 4096 has 50 MB.
const maxMessage = 64 << 20

// headBytes are the hexadecimal digits of a message's length.
const headBytes = 8

// writeMessage writes a message with its length before it.
func writeMessage(w io.Writer, message []byte) error {
	framed := make([]byte, 0, headBytes+len(message))
	framed = fmt.Appendf(framed, "%08x", len(message))
	_, err := w.Write(append(framed, message...))
	return err
}

// readMessage reads one. It ends with io.EOF between two messages.
func readMessage(r *bufio.Reader) ([]byte, error) {
	var head [headBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n, err := strconv.ParseUint(string(head[:]), 16, 32)
	if err != nil {
		return nil, fmt.Errorf("%w: %q is not a length", ErrWire, head)
	}
	if n > maxMessage {
		return nil, fmt.Errorf("%w: a message of %d bytes", ErrWire, n)
	}
	message := make([]byte, n)
	if _, err := io.ReadFull(r, message); err != nil {
		return nil, fmt.Errorf("message of %d bytes: %w", n, io.ErrUnexpectedEOF)
	}
	return message, nil
}

// field is one of a protobuf message: a number, or bytes.
type field struct {
	number protowire.Number
	value  uint64 // of varints and fixed numbers, as bits
	bytes  []byte
}

// fields takes a message apart.
func fields(message []byte, visit func(field) error) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return fmt.Errorf("%w: %w", ErrWire, protowire.ParseError(n))
		}
		message = message[n:]
		f := field{number: number}
		switch kind {
		case protowire.VarintType:
			f.value, n = protowire.ConsumeVarint(message)
		case protowire.Fixed64Type:
			f.value, n = protowire.ConsumeFixed64(message)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(message)
			f.value = uint64(v)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(message)
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
