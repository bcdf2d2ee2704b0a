package pixels

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // formats of CompressedImage
	_ "image/png"

	"gocv.io/x/gocv"
)

// maxPixels bounds a decoded image, so that a hostile header cannot ask for the
// machine's memory. A camera of 64 megapixels fits.
const maxPixels = 1 << 26

// ErrImage is returned for bytes that are no picture, and for pictures too
// small or too large to use.
var ErrImage = errors.New("unusable image")

// RGB is a picture of Width x Height pixels, 3 bytes each, row by row.
type RGB struct {
	Width, Height int
	Pix           []uint8
}

// Decode reads a PNG or JPEG.
func Decode(data []byte) (RGB, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return RGB{}, fmt.Errorf("%w: not a png or jpeg: %w", ErrImage, err)
	}
	if config.Width < 1 || config.Height < 1 || config.Width > maxPixels/config.Height {
		return RGB{}, fmt.Errorf("%w: %dx%d pixels, at most %d are read", ErrImage, config.Width, config.Height, maxPixels)
	}
	bgr, err := gocv.IMDecode(data, gocv.IMReadColor)
	if err != nil {
		return RGB{}, fmt.Errorf("%w: decode %s: %w", ErrImage, format, err)
	}
	defer bgr.Close()
	if bgr.Empty() {
		return RGB{}, fmt.Errorf("%w: decode %s: the data is damaged", ErrImage, format)
	}
	rgb := gocv.NewMat()
	defer rgb.Close()
	gocv.CvtColor(bgr, &rgb, gocv.ColorBGRToRGB)
	return RGB{Width: rgb.Cols(), Height: rgb.Rows(), Pix: rgb.ToBytes()}, nil
}

// FromImage copies any Go image.
func FromImage(m image.Image) RGB {
	b := m.Bounds()
	out := RGB{Width: b.Dx(), Height: b.Dy(), Pix: make([]uint8, 0, 3*b.Dx()*b.Dy())}
	if rgba, ok := m.(*image.RGBA); ok {
		for y := b.Min.Y; y < b.Max.Y; y++ {
			row := rgba.Pix[rgba.PixOffset(b.Min.X, y):]
			for x := range b.Dx() {
				out.Pix = append(out.Pix, row[4*x], row[4*x+1], row[4*x+2])
			}
		}
		return out
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, bl, _ := m.At(x, y).RGBA()
			out.Pix = append(out.Pix, uint8(r>>8), uint8(g>>8), uint8(bl>>8))
		}
	}
	return out
}

// Square resizes to side x side by area averaging, which shrinks without
// aliasing. The picture's whole width and height are kept: a camera's aspect
// ratio is the same in training and in use.
func (p RGB) Square(side int) (RGB, error) {
	if p.Width < 1 || p.Height < 1 || len(p.Pix) != 3*p.Width*p.Height {
		return RGB{}, fmt.Errorf("%w: %d bytes are not %dx%d rgb pixels", ErrImage, len(p.Pix), p.Width, p.Height)
	}
	if p.Width < side || p.Height < side {
		return RGB{}, fmt.Errorf("%w: %dx%d pixels, the network needs at least %dx%d", ErrImage, p.Width, p.Height, side, side)
	}
	if p.Width == side && p.Height == side {
		return p, nil
	}
	src, err := gocv.NewMatFromBytes(p.Height, p.Width, gocv.MatTypeCV8UC3, p.Pix)
	if err != nil {
		return RGB{}, fmt.Errorf("%w: %w", ErrImage, err)
	}
	defer src.Close()
	dst := gocv.NewMat()
	defer dst.Close()
	gocv.Resize(src, &dst, image.Pt(side, side), 0, 0, gocv.InterpolationArea)
	return RGB{Width: side, Height: side, Pix: dst.ToBytes()}, nil
}
