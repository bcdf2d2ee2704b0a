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
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(f*float64(w)+0.5)), max(1, int(f*float64(h)+0.5))))
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(out, out.Bounds(), m, m.Bounds(), draw.Over, nil)
	return out
}

// Images of at most this many pixels are written as PNG, which keeps their edges sharp.
const pngPixels = 96 * 96

// dataURI writes an image into a page.
func dataURI(m image.Image) (string, error) {
	var b bytes.Buffer
	kind, err := "png", error(nil)
	if size := m.Bounds().Size(); size.X*size.Y <= pngPixels {
		err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, m)
	} else {
		kind, err = "jpeg", jpeg.Encode(&b, m, &jpeg.Options{Quality: 90})
	}
	if err != nil {
		return "", fmt.Errorf("encode image: %w", err)
	}
	return "data:image/" + kind + ";base64," + base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
