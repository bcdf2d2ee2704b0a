package msgs

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
)

// Encodings of sensor_msgs/Image that NewImage writes.
const (
	RGB8  = "rgb8"
	Mono8 = "mono8"
)

// NewImage returns img as an rgb8 message, step 3 x width; mono8 for *image.Gray.
func NewImage(header Header, img image.Image) *Image {
	r := img.Bounds()
	w, h := r.Dx(), r.Dy()
	m := &Image{Header: header, Width: uint32(w), Height: uint32(h), Encoding: RGB8,
		Step: uint32(3 * w)}
	if gray, ok := img.(*image.Gray); ok {
		m.Encoding, m.Step = Mono8, uint32(w)
		m.Data = make([]byte, 0, w*h)
		for y := range h {
			m.Data = append(m.Data, gray.Pix[y*gray.Stride:][:w]...)
		}
		return m
	}
	rgba, ok := img.(*image.RGBA)
	if !ok {
		rgba = image.NewRGBA(image.Rect(0, 0, w, h))
		draw.Draw(rgba, rgba.Rect, img, r.Min, draw.Src)
	}
	m.Data = make([]byte, 3*w*h)
	dst := m.Data
	for y := range h {
		for src := rgba.Pix[y*rgba.Stride:][:4*w]; len(src) >= 4; src = src[4:] {
			dst[0], dst[1], dst[2] = src[0], src[1], src[2]
			dst = dst[3:]
		}
	}
	return m
}

// NewJPEG returns img as a JPEG message; quality is 1 to 100.
func NewJPEG(header Header, img image.Image, quality int) (*CompressedImage, error) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("encode jpeg: %w", err)
	}
	return &CompressedImage{Header: header, Format: "jpeg", Data: b.Bytes()}, nil
}

// NewPNG returns img as a PNG message: lossless, and slower.
func NewPNG(header Header, img image.Image) (*CompressedImage, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("encode png: %w", err)
	}
	return &CompressedImage{Header: header, Format: "png", Data: b.Bytes()}, nil
}
