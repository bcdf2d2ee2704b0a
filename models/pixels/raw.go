package pixels

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"

	"gocv.io/x/gocv"
)

// Raw is an image as sensor_msgs/Image carries it.
type Raw struct {
	Encoding      string // a name of sensor_msgs/image_encodings.hpp, such as "bgr8" or "bayer_rggb8"
	Width, Height int    // pixels
	Step          int    // bytes from one row to the next
	BigEndian     bool   // of samples of 16 bits
	Bits          int    // of these that are used (Camera.Bits)
	Data          []byte // Height x Step bytes; half as many more with a second plane (nv12, nv21)
}

// Check returns the error that RGB would, without converting the pixels.
func (r Raw) Check() error {
	_, err := r.check()
	return err
}

func (r Raw) check() (encoding, error) {
	e, ok := encodings[r.Encoding]
	if !ok {
		return e, fmt.Errorf("%w: encoding %q is not one of %s", ErrImage, r.Encoding, supported())
	}
	if err := checkSize(r.Width, r.Height); err != nil {
		return e, err
	}
	if !e.fits(r.Width, r.Height) {
		return e, fmt.Errorf("%w: a %s image cannot have %dx%d pixels", ErrImage, r.Encoding, r.Width,
			r.Height)
	}
	if r.Step < e.row(r.Width) {
		return e, fmt.Errorf("%w: step of %d bytes is too short for %d %s pixels", ErrImage, r.Step,
			r.Width, r.Encoding)
	}
	if rows := e.rows(r.Height); len(r.Data)/rows != r.Step || len(r.Data)%rows != 0 {
		return e, fmt.Errorf("%w: %d bytes of pixels, %d rows of %s with a step of %d bytes have others",
			ErrImage, len(r.Data), rows, r.Encoding, r.Step)
	}
	return e, nil
}

// RGB converts the image. The pixels of rgb8 without padding are Data itself.
func (r Raw) RGB() (RGB, error) {
	e, err := r.check()
	if err != nil {
		return RGB{}, err
	}
	samples := r.samples(e)
	if e.toRGB == asIs {
		return RGB{Width: r.Width, Height: r.Height, Pix: samples}, nil
	}
	src, err := over(samples, e.rows(r.Height), r.Width, e.channels)
	if err != nil {
		return RGB{}, err
	}
	defer src.Close()
	return into(r.Width, r.Height, func(dst *gocv.Mat) { gocv.CvtColor(src, dst, e.toRGB) })
}

// samples are 8 bits each and without padding: Data itself where it is so.
func (r Raw) samples(e encoding) []uint8 {
	row, rows := e.row(r.Width), e.rows(r.Height)
	if e.bytes == 1 && r.Step == row {
		return r.Data
	}
	out := make([]uint8, 0, row/e.bytes*rows)
	for y := range rows {
		data := r.Data[y*r.Step:][:row]
		if e.bytes == 1 {
			out = append(out, data...)
			continue
		}
		for i := 0; i < row; i += e.bytes {
			out = append(out, uint8(min(r.wide(data[i:])>>(cmp.Or(r.Bits, 16)-8), 255)))
		}
	}
	return out
}

// wide is a sample of 16 bits.
func (r Raw) wide(data []byte) uint16 {
	if r.BigEndian {
		return binary.BigEndian.Uint16(data)
	}
	return binary.LittleEndian.Uint16(data)
}

// Used is how many of the 16 bits of its samples an image uses; 0 where samples have 8.
func (r Raw) Used() int {
	e, err := r.check()
	if err != nil || e.bytes == 1 {
		return 0
	}
	var seen uint16
	for y := range e.rows(r.Height) {
		data := r.Data[y*r.Step:][:e.row(r.Width)]
		for i := 0; i < len(data); i += 2 {
			seen |= r.wide(data[i:])
		}
	}
	return bits.Len16(seen)
}
