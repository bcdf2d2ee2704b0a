package augment

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestWarpMovesAndShades has two dots far from each other on an even ground: each moves by no more
// than the limit, the two not by the same, and the ground gets brighter here and
// darker there, within bounds.
func TestWarpMovesAndShades(t *testing.T) {
	const size, ground = 64, 100
	dots := [2][2]int{{16, 16}, {48, 48}}
	src := bytes.Repeat([]uint8{ground}, 3*size*size)
	for _, at := range dots {
		for y := at[1] - 1; y <= at[1]+1; y++ {
			for x := at[0] - 1; x <= at[0]+1; x++ {
				src[3*(y*size+x)] = 255
			}
		}
	}
	// where is the centre of what is red in a quarter of the image.
	where := func(image []uint8, at [2]int) (x, y float64) {
		var sum float64
		for py := at[1] - 12; py <= at[1]+12; py++ {
			for px := at[0] - 12; px <= at[0]+12; px++ {
				p := 3 * (py*size + px)
				red := math.Max(float64(image[p])-float64(image[p+1])-5, 0)
				x, y, sum = x+red*float64(px), y+red*float64(py), sum+red
			}
		}
		return x / sum, y / sum
	}
	dst, difference := make([]uint8, len(src)), 0.0
	for seed := range uint64(50) {
		asScene(dst, src, size, rand.New(rand.NewPCG(seed, 1)))
		var moved [2][2]float64
		for i, at := range dots {
			x, y := where(dst, at)
			moved[i] = [2]float64{x - float64(at[0]), y - float64(at[1])}
			if most := warpShift*size + 1; !(math.Abs(moved[i][0]) <= most &&
				math.Abs(moved[i][1]) <= most) {
				t.Errorf("seed %d: dot %d moved by %v, want %g at most", seed, i, moved[i], most)
			}
		}
		difference = max(difference, math.Hypot(moved[0][0]-moved[1][0], moved[0][1]-moved[1][1]))
		least, most := uint8(255), uint8(0)
		for i := 1; i < len(dst); i += 3 { // green, which has no dots
			least, most = min(least, dst[i]), max(most, dst[i])
		}
		if least < ground*(1-warpShade)-1 || most > ground*(1+warpShade)+1 ||
			most-least < ground*warpShade/4 {
			t.Errorf("seed %d: the ground is %d to %d", seed, least, most)
		}
	}
	if difference < 1 {
		t.Errorf("the dots move together, %g pixels from each other at most", difference)
	}
}

// TestVariations are functions of image and seed, of images of any size.
func TestVariations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(16, 80).Draw(t, "size")
		src := rapid.SliceOfN(rapid.Byte(), 3*size*size, 3*size*size).Draw(t, "image")
		seed := rapid.Uint64().Draw(t, "seed")
		for _, v := range []Variation{None, Camera, Scene} {
			one, other, kept := make([]uint8, len(src)), make([]uint8, len(src)), bytes.Clone(src)
			v.Apply(one, src, size, rand.New(rand.NewPCG(seed, 1)))
			v.Apply(other, src, size, rand.New(rand.NewPCG(seed, 1)))
			if !bytes.Equal(one, other) || !bytes.Equal(src, kept) || v == None &&
				!bytes.Equal(one, src) {
				t.Fatalf("variation %d: not the same again, or the image itself has changed", v)
			}
		}
	})
}
