package message

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"stripswm/nodes/sim/gazebo"
)

// Layout has the numbers of the fields of a transport's poses and images.
type Layout struct {
	name, position, orientation protowire.Number // of a pose
	x                           protowire.Number // of a position; an orientation begins with 2

	width, height, format, step, data protowire.Number // of an image
}

// The layouts: of gazebo.msgs, and of gz.msgs, which ignition.msgs were before.
var (
	Classic = Layout{name: 1, position: 3, orientation: 4, x: 1, width: 1, height: 2, format: 3,
		step: 4, data: 5}
	Gz = Layout{name: 2, position: 4, orientation: 5, x: 2, width: 2, height: 3, format: 6,
		step: 4, data: 5}
)

const orientationX = 2

// AppendPose writes where a body is, without its name.
func (l Layout) AppendPose(b []byte, body gazebo.Body) []byte {
	b = Bytes(b, l.position, doubles(nil, l.x, body.Position[:]))
	return Bytes(b, l.orientation, doubles(nil, orientationX, body.Orientation[:]))
}

// AppendBody writes a body's name and where it is.
func (l Layout) AppendBody(b []byte, body gazebo.Body) []byte {
	return l.AppendPose(Text(b, l.name, body.Name), body)
}

// Body reads a pose with its name.
func (l Layout) Body(message []byte) (b gazebo.Body, err error) {
	err = Fields(message, func(f Field) error {
		switch f.Number {
		case l.name:
			b.Name = string(f.Bytes)
		case l.position:
			return parseDoubles(f.Bytes, l.x, b.Position[:])
		case l.orientation:
			return parseDoubles(f.Bytes, orientationX, b.Orientation[:])
		}
		return nil
	})
	return b, err
}

// RGB8 is the pixel format of the images we ask for.
const RGB8 = 3

// maxPixels bounds an image.
const maxPixels = 4096 * 4096

// Image reads an image, without its time.
func (l Layout) Image(message []byte, p *gazebo.Image) error {
	var width, height, format, step uint64
	if err := Fields(message, func(f Field) error {
		switch f.Number {
		case l.width:
			width = f.Value
		case l.height:
			height = f.Value
		case l.format:
			format = f.Value
		case l.step:
			step = f.Value
		case l.data:
			p.RGB = f.Bytes
		}
		return nil
	}); err != nil {
		return err
	}
	if format != RGB8 || width == 0 || height == 0 || width > maxPixels || height > maxPixels/width ||
		step != 3*width || uint64(len(p.RGB)) != step*height {
		return fmt.Errorf(
			"%w: an image of %dx%d pixels in format %d with %d bytes a row and %d in all; want rgb8",
			ErrWire, width, height, format, step, len(p.RGB))
	}
	p.Width, p.Height = int(width), int(height)
	return nil
}

// AppendImage writes an image in rgb8, without its time.
func (l Layout) AppendImage(b []byte, p gazebo.Image) []byte {
	b = Varint(b, l.width, uint64(p.Width))
	b = Varint(b, l.height, uint64(p.Height))
	b = Varint(b, l.format, RGB8)
	b = Varint(b, l.step, uint64(3*p.Width))
	return Bytes(b, l.data, p.RGB)
}
