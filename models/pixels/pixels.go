package pixels

import (
	"errors"
	"fmt"
	"image"
	"image/draw"

	"gocv.io/x/gocv"
)

// Bounds of an image, so that a few hostile bytes cannot ask for the machine's
// memory. A camera of 64 megapixels fits.
const (
	maxPixels = 1 << 26
	maxSide   = 1 << 16
)

// ErrImage is returned for bytes that are no image, for encodings that are not
// known, and for images too small or too large to use.
var ErrImage = errors.New("unusable image")

// RGB is an image of Width x Height pixels, 3 bytes each, row by row. Pix may be
// shared with what it was made of, and is not to be changed.
type RGB struct {
	Width, Height int
	Pix           []uint8
}

// FromImage copies any Go image.
func FromImage(m image.Image) RGB {
	b := m.Bounds()
	rgba, ok := m.(*image.RGBA)
	if !ok {
		rgba = image.NewRGBA(b)
		draw.Draw(rgba, b, m, b.Min, draw.Src)
	}
	out := RGB{Width: b.Dx(), Height: b.Dy(), Pix: make([]uint8, 3*b.Dx()*b.Dy())}
	for y := range out.Height {
		dst := out.Pix[3*y*out.Width:][:3*out.Width]
		for src := rgba.Pix[y*rgba.Stride:]; len(dst) >= 3; src, dst = src[4:], dst[3:] {
			dst[0], dst[1], dst[2] = src[0], src[1], src[2]
		}
	}
	return out
}

// Image is a copy for those who draw.
func (p RGB) Image() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, p.Width, p.Height))
	for src, dst := p.Pix, m.Pix; len(src) >= 3 && len(dst) >= 4; src, dst = src[3:], dst[4:] {
		dst[0], dst[1], dst[2], dst[3] = src[0], src[1], src[2], 0xff
	}
	return m
}

// checkSize holds a size against the bounds.
func checkSize(width, height int) error {
	if width < 1 || height < 1 || width > maxSide || height > maxSide || width > maxPixels/height {
		return fmt.Errorf("%w: %dx%d pixels, want 1 to %d a side and at most %d in all", ErrImage, width,
			height, maxSide, maxPixels)
	}
	return nil
}

// over is a Mat of 8-bit samples whose memory is pix itself. OpenCV ends the
// program where a Mat does not fit what is asked of it: callers check before.
func over(pix []uint8, rows, columns, channels int) (gocv.Mat, error) {
	kinds := [...]gocv.MatType{1: gocv.MatTypeCV8UC1, 2: gocv.MatTypeCV8UC2, 3: gocv.MatTypeCV8UC3,
		4: gocv.MatTypeCV8UC4}
	m, err := gocv.NewMatFromBytes(rows, columns, kinds[channels], pix)
	if err != nil {
		return m, fmt.Errorf("%w: %w", ErrImage, err)
	}
	return m, nil
}

// into makes an image by an operation of OpenCV that writes width x height RGB
// pixels: it writes them where they are to stay.
func into(width, height int, fill func(*gocv.Mat)) (RGB, error) {
	p := RGB{Width: width, Height: height, Pix: make([]uint8, 3*width*height)}
	dst, err := over(p.Pix, height, width, 3)
	if err != nil {
		return RGB{}, err
	}
	defer dst.Close()
	fill(&dst)
	return p, nil
}
