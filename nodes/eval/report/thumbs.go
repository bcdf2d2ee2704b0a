package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
)

// maxEnlarge bounds how much a small image is blown up.
const maxEnlarge = 2

// thumbnail scales an image to fit width x height, keeping its shape. An empty image gives nil.
func thumbnail(m image.Image, width, height int) *image.RGBA {
	if m == nil || m.Bounds().Empty() {
		return nil
	}
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	f := min(float64(width)/float64(w), float64(height)/float64(h), maxEnlarge)
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(f*float64(w)+0.5)),
		max(1, int(f*float64(h)+0.5))))
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(out, out.Bounds(), m, m.Bounds(), draw.Over, nil)
	return out
}

// shrunk is thumbnail for a page, which enlarges by itself: images only get smaller.
func shrunk(m image.Image, side int) *image.RGBA {
	if m == nil {
		return nil
	}
	return thumbnail(m, min(side, m.Bounds().Dx()), side)
}

// dataURI writes an image into a page, as PNG or JPEG, whichever is smaller: drawings suit the one,
// noisy cameras the other.
func dataURI(m image.Image) (string, error) {
	var lossless, lossy bytes.Buffer
	if err := png.Encode(&lossless, m); err != nil {
		return "", fmt.Errorf("encode image: %w", err)
	}
	if err := jpeg.Encode(&lossy, m, &jpeg.Options{Quality: 88}); err != nil {
		return "", fmt.Errorf("encode image: %w", err)
	}
	if lossless.Len() <= lossy.Len() {
		return "data:image/png;base64," + base64.StdEncoding.EncodeToString(lossless.Bytes()), nil
	}
	return "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(lossy.Bytes()), nil
}
