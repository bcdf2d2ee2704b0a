package pixels_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"testing"

	"stripswm/models/pixels"
)

// camera640 is what a camera sees: soft shapes and sensor noise.
func camera640() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 640, 480))
	r := rand.New(rand.NewPCG(1, 2))
	for y := range 480 {
		for x := range 640 {
			v := func(k float64) uint8 {
				return uint8(128 + 80*math.Sin(float64(x)*k/40)*math.Cos(float64(y)/30) + 3*r.NormFloat64())
			}
			m.SetRGBA(x, y, color.RGBA{v(1), v(2), v(3), 255})
		}
	}
	return m
}

// BenchmarkDecode is an image of a camera on its way to a network.
func BenchmarkDecode(b *testing.B) {
	var jpg, lossless bytes.Buffer
	if err := jpeg.Encode(&jpg, camera640(), &jpeg.Options{Quality: 90}); err != nil {
		b.Fatal(err)
	}
	if err := png.Encode(&lossless, camera640()); err != nil {
		b.Fatal(err)
	}
	for name, data := range map[string][]byte{"jpeg": jpg.Bytes(), "png": lossless.Bytes()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p, err := pixels.Decode(data)
				if err == nil {
					_, err = p.Square(64, pixels.Letterbox)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRaw is the same without a file.
func BenchmarkRaw(b *testing.B) {
	const w, h = 640, 480
	for _, r := range []pixels.Raw{
		{Encoding: "rgb8", Step: 3 * w, Data: make([]byte, 3*w*h)},
		{Encoding: "bgr8", Step: 3 * w, Data: make([]byte, 3*w*h)},
		{Encoding: "bayer_rggb8", Step: w, Data: make([]byte, w*h)},
		{Encoding: "mono16", Step: 2 * w, Data: make([]byte, 2*w*h)},
		{Encoding: "yuv422", Step: 2 * w, Data: make([]byte, 2*w*h)},
	} {
		r.Width, r.Height = w, h
		b.Run(r.Encoding, func(b *testing.B) {
			for b.Loop() {
				p, err := r.RGB()
				if err == nil {
					_, err = p.Square(64, pixels.Letterbox)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
