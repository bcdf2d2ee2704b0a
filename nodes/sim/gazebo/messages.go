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
			return fmt.Errorf("%w: %w", errWire, protowire.ParseError(n))
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
			return fmt.Errorf("%w: field %d: %w", errWire, number, protowire.ParseError(n))
		}
		message = message[n:]
		if err := visit(f); err != nil {
			return err
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

// parseDoubles reads what appendDoubles writes; what is missing is 0, as protobuf has it.
func parseDoubles(message []byte, first protowire.Number, into []float64) error {
	return fields(message, func(f field) error {
		if i := int(f.number - first); i >= 0 && i < len(into) {
			into[i] = math.Float64frombits(f.value)
		}
		return nil
	})
}

// parseTime reads gazebo.msgs.Time.
func parseTime(message []byte) (time.Duration, error) {
	var t time.Duration
	err := fields(message, func(f field) error {
		switch f.number {
		case 1:
			t += time.Duration(int32(f.value)) * time.Second
		case 2:
			t += time.Duration(int32(f.value))
		}
		return nil
	})
	return t, err
}

// Numbers of the fields of gazebo.msgs.Pose and gazebo.msgs.Image. Those of a position (x, y, z)
// begin with 1, those of an orientation (x, y, z, w) with 2.
const (
	bodyName        = 1
	bodyPosition    = 3
	bodyOrientation = 4
	imageWidth      = 1
	imageHeight     = 2
	imageFormat     = 3
	imageStep       = 4
	imageData       = 5
)

// appendPose writes where a body is, without its name.
func appendPose(b []byte, body Body) []byte {
	b = appendBytes(b, bodyPosition, appendDoubles(nil, 1, body.Position[:]))
	return appendBytes(b, bodyOrientation, appendDoubles(nil, 2, body.Orientation[:]))
}

// appendBody writes a body's name and where it is.
func appendBody(b []byte, body Body) []byte {
	return appendPose(appendText(b, bodyName, body.Name), body)
}

// parseBody reads a pose with its name.
func parseBody(message []byte) (b Body, err error) {
	err = fields(message, func(f field) error {
		switch f.number {
		case bodyName:
			b.Name = string(f.bytes)
		case bodyPosition:
			return parseDoubles(f.bytes, 1, b.Position[:])
		case bodyOrientation:
			return parseDoubles(f.bytes, 2, b.Orientation[:])
		}
		return nil
	})
	return b, err
}

// rgb8 is the pixel format of the images we ask for.
const rgb8 = 3

// maxPixels bounds an image.
const maxPixels = 4096 * 4096

// parsePixels reads an image, without its time.
func parsePixels(message []byte, p *Image) error {
	var width, height, format, step uint64
	if err := fields(message, func(f field) error {
		switch f.number {
		case imageWidth:
			width = f.value
		case imageHeight:
			height = f.value
		case imageFormat:
			format = f.value
		case imageStep:
			step = f.value
		case imageData:
			p.RGB = f.bytes
		}
		return nil
	}); err != nil {
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

// appendImage writes an image in rgb8, without its time.
func appendImage(b []byte, p Image) []byte {
	b = appendVarint(b, imageWidth, uint64(p.Width))
	b = appendVarint(b, imageHeight, uint64(p.Height))
	b = appendVarint(b, imageFormat, rgb8)
	b = appendVarint(b, imageStep, uint64(3*p.Width))
	return appendBytes(b, imageData, p.RGB)
}

// marshalModel writes gazebo.msgs.Model: put a body somewhere.
func marshalModel(b Body) []byte {
	return appendBytes(appendText(nil, 1, b.Name), 4, appendPose(nil, b))
}

// parsePoses reads gazebo.msgs.PosesStamped: what was moved, and when in the world's time.
func parsePoses(data []byte) (at time.Duration, bodies []Body, err error) {
	err = fields(data, func(f field) (err error) {
		switch f.number {
		case 1:
			at, err = parseTime(f.bytes)
		case 2:
			var b Body
			b, err = parseBody(f.bytes)
			bodies = append(bodies, b)
		}
		return err
	})
	return at, bodies, err
}

// parseImage reads gazebo.msgs.ImageStamped.
func parseImage(data []byte) (p Image, err error) {
	err = fields(data, func(f field) (err error) {
		switch f.number {
		case 1:
			p.Time, err = parseTime(f.bytes)
		case 2:
			err = parsePixels(f.bytes, &p)
		}
		return err
	})
	return p, err
}
