package pixels

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gocv.io/x/gocv"
)

// Fit says how an image of any size becomes the square that a network takes. Bundles
// keep it, so that it is the same in training and in use.
type Fit string

const (
	// Letterbox keeps the image's shape: its longer side fills the square, and bars of
	// its mean colour the rest on both sides. They become brighter and darker with it, so that
	// nothing changes beside it when the light does.
	Letterbox Fit = "letterbox"
	// Stretch fills the square with all of the image, whatever its shape. Bundles from
	// before there was a choice have it, as "area".
	Stretch Fit = "area"
)

// ParseFit reads what a bundle says.
func ParseFit(s string) (Fit, error) {
	switch f := Fit(s); f {
	case Letterbox, Stretch:
		return f, nil
	}
	return "", fmt.Errorf("unknown way %q to make an image square: there are %s and %s", s, Letterbox,
		Stretch)
}

// Square resizes to side x side: by area averaging, which shrinks without aliasing, and
// between neighbouring pixels where the image is smaller.
func (p RGB) Square(side int, fit Fit) (RGB, error) {
	if err := p.check(); err != nil {
		return RGB{}, err
	}
	if p.Width == side && p.Height == side {
		return p, nil
	}
	width, height := side, side
	if longer := float64(max(p.Width, p.Height)); fit == Letterbox {
		scale := float64(side) / longer
		width, height = max(1, int(math.Round(scale*float64(p.Width)))), max(1,
			int(math.Round(scale*float64(p.Height))))
	}
	small, err := p.Resize(width, height)
	if err != nil || width == side && height == side {
		return small, err
	}
	return small.onMean(side), nil
}

func (p RGB) check() error {
	if p.Width < 1 || p.Height < 1 || len(p.Pix) != 3*p.Width*p.Height {
		return fmt.Errorf("%w: %d bytes are not %dx%d rgb pixels", ErrImage, len(p.Pix), p.Width,
			p.Height)
	}
	return nil
}

// Resize is an image of another size, made as Square does.
func (p RGB) Resize(width, height int) (RGB, error) {
	src, err := over(p.Pix, p.Height, p.Width, 3)
	if err != nil {
		return RGB{}, err
	}
	defer src.Close()
	how := gocv.InterpolationArea
	if width > p.Width || height > p.Height {
		how = gocv.InterpolationLinear
	}
	return into(width, height, func(dst *gocv.Mat) {
		gocv.Resize(src, dst, image.Pt(width, height), 0,
			0, how)
	})
}

// Warp is an image of the same size that shows at each pixel x, y what p has at the homography of
// (x, y, 1), of three rows. Where that is outside, it shows the border of p.
func (p RGB) Warp(homography [9]float64) (RGB, error) {
	if err := p.check(); err != nil {
		return RGB{}, err
	}
	src, err := over(p.Pix, p.Height, p.Width, 3)
	if err != nil {
		return RGB{}, err
	}
	defer src.Close()
	m := gocv.NewMatWithSize(3, 3, gocv.MatTypeCV64F)
	defer m.Close()
	for i, v := range homography {
		m.SetDoubleAt(i/3, i%3, v)
	}
	return into(p.Width, p.Height, func(dst *gocv.Mat) {
		gocv.WarpPerspectiveWithParams(src, dst, m, image.Pt(p.Width, p.Height),
			gocv.InterpolationCubic|gocv.WarpInverseMap, gocv.BorderReplicate, color.RGBA{})
	})
}

// onMean puts an image in the middle of a square of at least its size.
func (p RGB) onMean(side int) RGB {
	square := RGB{Width: side, Height: side, Pix: make([]uint8, 3*side*side)}
	var sum [3]int
	for i, v := range p.Pix {
		sum[i%3] += int(v)
	}
	var mean [3]uint8
	for c := range mean {
		mean[c] = uint8(math.Round(float64(sum[c]) / float64(p.Width*p.Height)))
	}
	for i := range square.Pix {
		square.Pix[i] = mean[i%3]
	}
	left, top := (side-p.Width)/2, (side-p.Height)/2
	for y := range p.Height {
		copy(square.Pix[3*((top+y)*side+left):], p.Pix[3*y*p.Width:3*(y+1)*p.Width])
	}
	return square
}
