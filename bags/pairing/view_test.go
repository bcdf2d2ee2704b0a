package pairing_test

import (
	"math/rand/v2"
	"testing"

	"stripswm/bags/pairing"
)

// table is a grey image with sensor noise and a box of 20 pixels at x.
func table(size, x int, seed uint64) pairing.View {
	rgb := make([]uint8, 3*size*size)
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range rgb {
		rgb[i] = uint8(120 + 4*r.NormFloat64())
	}
	for dy := range 20 {
		for dx := range 20 {
			copy(rgb[3*((size/2+dy)*size+x+dx):], []uint8{200, 60, 30})
		}
	}
	return pairing.ViewOf(rgb, size, size)
}

func TestViewsShowMotionAndNotNoise(t *testing.T) {
	for _, size := range []int{128, 228, 480} {
		still, again, moved := table(size, 40, 1), table(size, 40, 2), table(size, 60, 3)
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

func TestSmallViews(t *testing.T) {
	if v := pairing.ViewOf([]uint8{30, 60, 90}, 1, 1); v.Contrast() != 0 || v[0] != 60 ||
		v[255] != 60 {
		t.Errorf("one pixel: %v", v)
	}
	if v := pairing.ViewOf([]uint8{0, 0, 0, 255, 255, 255}, 2, 1); v.Contrast() != 255 || v[0] != 0 ||
		v[15] != 255 {
		t.Errorf("black beside white: %v", v)
	}
}

func BenchmarkView(b *testing.B) {
	rgb := make([]uint8, 3*640*480)
	for b.Loop() {
		pairing.ViewOf(rgb, 640, 480)
	}
}
