package pairing_test

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"

	"stripswm/bags/pairing"
	"stripswm/msgs"
)

// table is a grey picture with sensor noise and a box of 20 pixels at x.
func table(size, x int, seed uint64) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, size, size))
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range m.Pix {
		m.Pix[i] = uint8(120 + 4*r.NormFloat64())
	}
	box := image.Rect(x, size/2, x+20, size/2+20)
	draw.Draw(m, box, image.NewUniform(color.RGBA{200, 60, 30, 255}), image.Point{}, draw.Src)
	return m
}

func TestViewsShowMotionAndNotNoise(t *testing.T) {
	for _, size := range []int{128, 228, 480} {
		still, again, moved := pairing.ViewOf(table(size, 40, 1)), pairing.ViewOf(table(size, 40, 2)), pairing.ViewOf(table(size, 60, 3))
		if m := still.Motion(&again); m > 6 {
			t.Errorf("size %d: noise moves %.1f", size, m)
		}
		if m := still.Motion(&moved); m < 10 {
			t.Errorf("size %d: a moved box moves %.1f", size, m)
		}
		if c := still.Contrast(); c < 10 {
			t.Errorf("size %d: contrast %.1f", size, c)
		}
	}
}

func TestRawViews(t *testing.T) {
	gray := image.NewGray(image.Rect(0, 0, 40, 30))
	for i := range gray.Pix {
		gray.Pix[i] = uint8(i % 40 * 6)
	}
	want := pairing.ViewOf(gray)
	rgba := image.NewRGBA(gray.Rect)
	draw.Draw(rgba, rgba.Rect, gray, image.Point{}, draw.Src)
	for name, m := range map[string]*msgs.Image{"mono8": msgs.NewImage(msgs.Header{}, gray), "rgb8": msgs.NewImage(msgs.Header{}, rgba)} {
		got, err := pairing.ViewOfRaw(m)
		if err != nil || got.Motion(&want) > 1 {
			t.Errorf("%s: differs by %.1f, %v", name, got.Motion(&want), err)
		}
	}
	if _, err := pairing.ViewOfRaw(&msgs.Image{Width: 4, Height: 4, Step: 12, Encoding: "rgb8"}); !errors.Is(err, msgs.ErrImage) {
		t.Errorf("an image without pixels: %v", err)
	}
	tiny := pairing.ViewOf(image.NewGray(image.Rect(0, 0, 1, 1)))
	if tiny.Contrast() != 0 {
		t.Errorf("one pixel has contrast %f", tiny.Contrast())
	}
}

func BenchmarkView(b *testing.B) {
	m := msgs.NewImage(msgs.Header{}, table(640, 40, 1))
	for b.Loop() {
		if _, err := pairing.ViewOfRaw(m); err != nil {
			b.Fatal(err)
		}
	}
}
