package classic

import (
	"fmt"
	"math"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"stripswm/nodes/sim/gazebo"
)

// marshalModel writes gazebo.msgs.Model: put a body somewhere.
func marshalModel(b gazebo.Body) []byte {
	var position, orientation, pose []byte
	for i, v := range b.Position {
		position = appendDouble(position, protowire.Number(1+i), v)
	}
	for i, v := range b.Orientation {
		orientation = appendDouble(orientation, protowire.Number(2+i), v)
	}
	pose = appendBytes(pose, 3, position)
	pose = appendBytes(pose, 4, orientation)
	return appendBytes(appendBytes(nil, 1, []byte(b.Name)), 4, pose)
}

// parsePoses reads gazebo.msgs.PosesStamped: what was moved, and when in the world's time.
func parsePoses(message []byte) (at time.Duration, bodies []gazebo.Body, err error) {
	err = fields(message, func(f field) (err error) {
		switch f.number {
		case 1:
			at, err = parseTime(f.bytes)
		case 2:
			var b gazebo.Body
			b, err = parsePose(f.bytes)
			bodies = append(bodies, b)
		}
		return err
	})
	return at, bodies, err
}

func parsePose(message []byte) (b gazebo.Body, err error) {
	err = fields(message, func(f field) error {
		switch f.number {
		case 1:
			b.Name = string(f.bytes)
		case 3:
			return parseDoubles(f.bytes, 1, b.Position[:])
		case 4:
			return parseDoubles(f.bytes, 2, b.Orientation[:])
		}
		return nil
	})
	return b, err
}

// parseDoubles reads numbers, the first of which has the number first.
func parseDoubles(message []byte, first protowire.Number, into []float64) error {
	return fields(message, func(f field) error {
		if i := int(f.number - first); i >= 0 && i < len(into) {
			into[i] = math.Float64frombits(f.value)
		}
		return nil
	})
}

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

// rgb8 is gazebo.msgs.Image's pixel_format of the pictures we ask for.
const rgb8 = 3

// parsePicture reads gazebo.msgs.ImageStamped.
func parsePicture(message []byte) (p gazebo.Picture, err error) {
	err = fields(message, func(f field) (err error) {
		switch f.number {
		case 1:
			p.Time, err = parseTime(f.bytes)
		case 2:
			err = parseImage(f.bytes, &p)
		}
		return err
	})
	return p, err
}

func parseImage(message []byte, p *gazebo.Picture) error {
	var format, step uint64
	var width, height uint64
	if err := fields(message, func(f field) error {
		switch f.number {
		case 1:
			width = f.value
		case 2:
			height = f.value
		case 3:
			format = f.value
		case 4:
			step = f.value
		case 5:
			p.RGB = f.bytes
		}
		return nil
	}); err != nil {
		return err
	}
	if format != rgb8 || width == 0 || height == 0 || width > maxMessage || height > maxMessage || step != 3*width || uint64(len(p.RGB)) != step*height {
		return fmt.Errorf("%w: a picture of %dx%d pixels in format %d with %d bytes a row and %d in all; want rgb8", ErrWire, width, height, format, step, len(p.RGB))
	}
	p.Width, p.Height = int(width), int(height)
	return nil
}

func appendDouble(b []byte, number protowire.Number, v float64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(b, number, protowire.Fixed64Type), math.Float64bits(v))
}
