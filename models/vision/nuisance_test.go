package vision

import (
	"math/rand/v2"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/strips"
)

// TestNuisancePersists has a block in one of four places, under a light that falls off to one side:
// equally in both images of a static interval, or another in each. Every image has noise of
// its own.
func TestNuisancePersists(t *testing.T) {
	const size, intervals = 32, 200
	for name, k := range map[string]struct {
		persists, linked, oneFile, refused bool
		want                               bool
	}{
		"each image its own":         {false, true, false, false, false},
		"persists":                   {true, true, false, false, true},
		"one image for both":         {true, true, true, false, true},
		"persists, refused attempts": {true, true, false, true, true},
		"nobody says what is linked": {true, false, false, false, false},
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		d := dataset.New(size, 4, 8*intervals)
		show := func(state int, x, y float64) int {
			img := make([]uint8, size*size*3)
			for i := range img {
				px, py := i/3%size, i/3/size
				value := 60 + x*float64(px) + y*float64(py) + 3*rng.NormFloat64()
				if left, top := 4+16*(state%2), 4+16*(state/2); px >= left && px < left+6 &&
					py >= top && py < top+6 {
					value += 120
				}
				img[i] = uint8(min(max(value, 0), 255))
			}
			image, err := d.AddImage(img)
			if err != nil {
				t.Fatal(err)
			}
			return image
		}
		state, x, y, image := 0, 0.0, 0.0, -1
		for i := range intervals {
			if !k.persists || i == 0 {
				x, y = 2*rng.Float64()-1, 2*rng.Float64()-1
			}
			for range 3 {
				if !k.refused {
					break
				}
				shown := show(state, x, y)
				if err := d.AddRefused(dataset.Transition{Before: shown, After: shown,
					Action: 1}); err != nil {
					t.Fatal(err)
				}
			}
			tr := dataset.Transition{Before: image, Follows: i > 0 && k.linked}
			if !k.oneFile || i == 0 {
				tr.Before = show(state, x, y)
			}
			state = rng.IntN(4)
			x, y = 2*rng.Float64()-1, 2*rng.Float64()-1
			tr.Action, tr.After = strips.ActionID(1+state), show(state, x, y)
			image = tr.After
			if err := d.AddTransition(tr); err != nil {
				t.Fatal(err)
			}
		}
		if got := nuisancePersists(d); got != k.want {
			t.Errorf("%s: lasting %t", name, got)
		}
	}
}
