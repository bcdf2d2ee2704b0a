package pixels

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// header is what a file says of its image before the pixels.
type header struct {
	format        string // "png" or "jpeg"
	width, height int
	grey          bool // one channel
}

// readHeader recognizes formats by their first bytes and reads the header, so
// that OpenCV is given neither an image of absurd size nor a format that it
// reads but no camera sends.
func readHeader(data []byte) (h header, err error) {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		h, err = pngHeader(data)
	case bytes.HasPrefix(data, []byte{0xff, soi}):
		h, err = jpegHeader(data)
	default:
		err = fmt.Errorf("%w: %d bytes that are neither png nor jpeg", ErrImage, len(data))
	}
	if err != nil {
		return header{}, err
	}
	return h, checkSize(h.width, h.height)
}

// pngHeader reads the first chunk (PNG specification, 11.2.1). OpenCV itself
// refuses a PNG that is cut, by its checksums.
func pngHeader(data []byte) (header, error) {
	if len(data) < 26 || string(data[12:16]) != "IHDR" {
		return header{}, fmt.Errorf("%w: png of %d bytes without a header", ErrImage, len(data))
	}
	width, height := binary.BigEndian.Uint32(data[16:]), binary.BigEndian.Uint32(data[20:])
	return header{format: "png", width: int(width), height: int(height), grey: data[25] == 0}, nil
}

// Markers of JPEG (ITU-T T.81, table B.1). Those without a segment: stuffed is
// no marker but a byte 0xff of the data, and fill may stand before any marker.
const (
	stuffed, tem, rst0, rst7, soi, eoi, fill = 0x00, 0x01, 0xd0, 0xd7, 0xd8, 0xd9, 0xff

	sof0, sof15   = 0xc0, 0xcf // frame headers, but for
	dht, jpg, dac = 0xc4, 0xc8, 0xcc
)

// jpegHeader walks the segments of a JPEG, to its end: OpenCV fills what a cut
// one lacks with whatever there is, and says nothing.
func jpegHeader(data []byte) (header, error) {
	h := header{format: "jpeg"}
	cut := fmt.Errorf("%w: jpeg of %d bytes ends before its end marker", ErrImage, len(data))
	for at := 2; ; {
		next := bytes.IndexByte(data[at:], 0xff)
		if next < 0 || at+next+1 == len(data) {
			return header{}, cut
		}
		at += next + 1
		marker := data[at]
		switch {
		case marker == fill:
			continue
		case marker == stuffed, marker == tem, rst0 <= marker && marker <= rst7:
			at++
			continue
		case marker == eoi:
			return h, nil
		}
		segment := data[at+1:]
		if len(segment) < 2 || len(segment) < int(binary.BigEndian.Uint16(segment)) {
			return header{}, cut
		}
		segment = segment[:binary.BigEndian.Uint16(segment)]
		if sof0 <= marker && marker <= sof15 && marker != dht && marker != jpg && marker != dac {
			if len(segment) < 8 || h.width != 0 {
				return header{}, fmt.Errorf("%w: jpeg with a bad frame header", ErrImage)
			}
			h.height, h.width = int(binary.BigEndian.Uint16(segment[3:])), int(
				binary.BigEndian.Uint16(segment[5:]))
			h.grey = segment[7] == 1
		}
		at += 1 + len(segment)
	}
}
