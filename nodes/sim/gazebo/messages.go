package gazebo

import (
	"errors"
	"fmt"
	"math"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// errWire is wrapped for bytes that are not a message of Gazebo.
var errWire = errors.New("not gazebo's transport")

// wanted are the fields of a message that are read: into a *uint64 (whole numbers), a *float64, a
// *string or a *[]byte, or by a func([]byte) error, once for each that comes.
type wanted map[protowire.Number]any

// scan takes a message apart. What is missing is left as it is.
func scan(message []byte, into wanted) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return fmt.Errorf("%w: %w", errWire, protowire.ParseError(n))
		}
		message = message[n:]
		var value uint64 // of varints and fixed numbers, as bits
		var text []byte
		switch kind {
		case protowire.VarintType:
			value, n = protowire.ConsumeVarint(message)
		case protowire.Fixed64Type:
			value, n = protowire.ConsumeFixed64(message)
		case protowire.BytesType:
			text, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return fmt.Errorf("%w: field %d: %w", errWire, number, protowire.ParseError(n))
		}
		message = message[n:]
		switch to := into[number].(type) {
		case *uint64:
			*to = value
		case *float64:
			*to = math.Float64frombits(value)
		case *string:
			*to = string(text)
		case *[]byte:
			*to = text
		case func([]byte) error:
			if err := to(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// appendBytes appends a field of bytes, of text or of another message.
func appendBytes(b []byte, number protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), v)
}

// appendText appends a field of text.
func appendText(b []byte, number protowire.Number, v string) []byte {
	return appendBytes(b, number, []byte(v))
}

// appendVarint appends a field of a whole number.
func appendVarint(b []byte, number protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), v)
}

// appendDoubles appends numbers, the first of which has the number first.
func appendDoubles(b []byte, first protowire.Number, values []float64) []byte {
	for i, v := range values {
		b = protowire.AppendTag(b, first+protowire.Number(i), protowire.Fixed64Type)
		b = protowire.AppendFixed64(b, math.Float64bits(v))
	}
	return b
}

// parseTime reads gazebo.msgs.Time.
func parseTime(message []byte) (time.Duration, error) {
	var seconds, nanoseconds uint64
	err := scan(message, wanted{1: &seconds, 2: &nanoseconds})
	return time.Duration(int32(seconds))*time.Second + time.Duration(int32(nanoseconds)), err
}

// appendPose writes where a body is, without its name.
func appendPose(b []byte, body Body) []byte {
	b = appendBytes(b, 3, appendDoubles(nil, 1, body.Position[:]))
	return appendBytes(b, 4, appendDoubles(nil, 2, body.Orientation[:]))
}

// parseBody reads gazebo.msgs.Pose, which has a name.
func parseBody(message []byte) (b Body, err error) {
	p, o := &b.Position, &b.Orientation
	err = scan(message, wanted{
		1: &b.Name,
		3: func(m []byte) error {
			return scan(m, wanted{1: &p[0], 2: &p[1], 3: &p[2]})
		},
		4: func(m []byte) error {
			return scan(m, wanted{2: &o[0], 3: &o[1], 4: &o[2], 5: &o[3]})
		},
	})
	return b, err
}

// rgb8 is the pixel format of the images we ask for.
const rgb8 = 3

// maxPixels bounds an image.
const maxPixels = 4096 * 4096

// parsePixels reads gazebo.msgs.Image, which has no time.
func parsePixels(message []byte, p *Image) error {
	var width, height, format, step uint64
	if err := scan(message, wanted{1: &width, 2: &height, 3: &format, 4: &step,
		5: &p.RGB}); err != nil {
		return err
	}
	if format != rgb8 || width == 0 || height == 0 || width > maxPixels || height > maxPixels/width ||
		step != 3*width || uint64(len(p.RGB)) != step*height {
		return fmt.Errorf(
			"%w: an image of %dx%d pixels in format %d with %d bytes a row and %d in all; want rgb8",
			errWire, width, height, format, step, len(p.RGB))
	}
	p.Width, p.Height = int(width), int(height)
	return nil
}

// marshalModel writes gazebo.msgs.Model: put a body somewhere.
func marshalModel(b Body) []byte {
	return appendBytes(appendText(nil, 1, b.Name), 4, appendPose(nil, b))
}

// parsePoses reads gazebo.msgs.PosesStamped: what was moved, and when in the world's time.
func parsePoses(data []byte) (at time.Duration, bodies []Body, err error) {
	err = scan(data, wanted{
		1: func(m []byte) (err error) {
			at, err = parseTime(m)
			return err
		},
		2: func(m []byte) error {
			b, err := parseBody(m)
			bodies = append(bodies, b)
			return err
		},
	})
	return at, bodies, err
}

// parseImage reads gazebo.msgs.ImageStamped.
func parseImage(data []byte) (p Image, err error) {
	err = scan(data, wanted{
		1: func(m []byte) (err error) {
			p.Time, err = parseTime(m)
			return err
		},
		2: func(m []byte) error { return parsePixels(m, &p) },
	})
	return p, err
}
