package facts

import (
	"math/rand/v2"
	"testing"

	"stripswm/models/dataset"
)

// TestMissingThatCarries: objects carry things of any colour that no predicate tells of, so much
// varies where an object stands. A table without one of them still looks like none with all.
func TestMissingThatCarries(t *testing.T) {
	const objects, places, images = 2, 4, 600
	rng := rand.New(rand.NewPCG(5, 5))
	shown := func(at []int) []uint8 {
		pix := paint(at, rng)
		for _, place := range at {
			for c := range 3 {
				v := uint8(rng.IntN(256))
				for _, at := range [][2]int{{11, 1}, {11, 2}, {12, 1}, {12, 2}} {
					pix[3*(at[0]*imageSize+4*place+at[1])+c] = v
				}
			}
		}
		return pix
	}
	draw := func() (at []int, values []bool) {
		at, values = rng.Perm(places)[:objects], make([]bool, objects*places)
		for o, place := range at {
			values[o*places+place] = true
		}
		return at, values
	}
	d := dataset.New(imageSize, 1, images)
	var all []int
	var targets [][]float32
	for i := range images {
		at, values := draw()
		if _, err := d.AddImage(shown(at)); err != nil {
			t.Fatal(err)
		}
		target := make([]float32, len(values))
		for p, v := range values {
			if v {
				target[p] = 1
			}
		}
		all, targets = append(all, i), append(targets, target)
	}
	a := learnAppearance(d, all, targets)
	far, near := 0.0, 1e9
	for range 200 {
		at, values := draw()
		far = max(far, a.distance(shown(at), imageSize, values, view{}))
		near = min(near, a.distance(shown(at[:1]), imageSize, values, view{}))
	}
	if near <= far {
		t.Errorf("an image without an object is at %.2f, and a good one at %.2f", near, far)
	}
}
