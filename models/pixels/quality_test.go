package pixels_test

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"stripswm/models/pixels"
)

func TestQuality(t *testing.T) {
	sharp := checkers(64, 64, 8)
	blurred, err := pixels.FromImage(sharp).Square(16, pixels.Stretch)
	if err != nil {
		t.Fatal(err)
	}
	if blurred, err = blurred.Square(64, pixels.Stretch); err != nil {
		t.Fatal(err)
	}
	a, err := pixels.FromImage(sharp).Quality()
	if err != nil {
		t.Fatal(err)
	}
	b, err := blurred.Quality()
	if err != nil || b.Sharpness > a.Sharpness/2 || b.Sharpness <= 0 {
		t.Errorf("sharpness %g, blurred %g, %v", a.Sharpness, b.Sharpness, err)
	}
	if want := (200 + 100) / 6.0; math.Abs(a.Mean-want) > 1e-9 || a.Black != 1 || a.White != 0 {
		t.Errorf("%+v, want a mean of %g", a, want)
	}
	burnt := image.NewRGBA(image.Rect(0, 0, 10, 10))
	draw.Draw(burnt, burnt.Rect, image.NewUniform(color.Gray{100}), image.Point{}, draw.Src)
	draw.Draw(burnt, image.Rect(0, 0, 10, 2), image.NewUniform(color.RGBA{255, 90, 90, 255}),
		image.Point{}, draw.Src)
	q, err := pixels.FromImage(burnt).Quality()
	if err != nil || q.White != 0.2 || q.Black != 0 {
		t.Errorf("%+v, %v", q, err)
	}
	if _, err := (pixels.RGB{Width: 2}).Quality(); err == nil {
		t.Error("a torn image was evaluated")
	}
}
