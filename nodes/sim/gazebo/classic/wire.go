package classic

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"stripswm/nodes/sim/gazebo/internal/message"
)

// maxMessage bounds a message: an image of 4096 x 4096 has 50 MB.
const maxMessage = 64 << 20

// headBytes are the hexadecimal digits of a message's length.
const headBytes = 8

// writeMessage writes a message with its length before it.
func writeMessage(w io.Writer, data []byte) error {
	framed := make([]byte, 0, headBytes+len(data))
	framed = fmt.Appendf(framed, "%08x", len(data))
	_, err := w.Write(append(framed, data...))
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
		return nil, fmt.Errorf("%w: %q is not a length", message.ErrWire, head)
	}
	if n > maxMessage {
		return nil, fmt.Errorf("%w: a message of %d bytes", message.ErrWire, n)
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, fmt.Errorf("message of %d bytes: %w", n, io.ErrUnexpectedEOF)
	}
	return data, nil
}
