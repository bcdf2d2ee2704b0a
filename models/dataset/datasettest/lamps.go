package datasettest

import (
	"math/rand/v2"

	"stripswm/models/dataset"
	"stripswm/models/strips"
)

// Lamps is a world to learn in seconds: a row of lamps, each a block of pixels, and for each an
// action that lights it and one that puts it out. Images have noise and a brightness that mean
// nothing. (With one action that toggles a lamp, a code of one lamp alone would be deterministic
// and separate the actions, and training finds such codes.)
type Lamps struct {
	Count, Size int
	Light       float64 // by how much the brightness of images differs, either way
	rng         *rand.Rand
}

// Image shows the lamps that are on, by their bits.
func (w Lamps) Image(on uint) []uint8 {
	pix := make([]uint8, w.Size*w.Size*3)
	brightness := 1 + w.Light*(2*w.rng.Float64()-1)
	for y := range w.Size {
		for x := range w.Size {
			value := 40.0
			if lamp := x * w.Count / w.Size; on>>lamp&1 == 1 && y > w.Size/4 {
				value = 180
			}
			for c := range 3 {
				noisy := value*brightness + 6*w.rng.NormFloat64()
				pix[(y*w.Size+x)*3+c] = uint8(min(max(noisy, 0), 255))
			}
		}
	}
	return pix
}

// Transitions records n of them, and the true state of each image.
func (w Lamps) Transitions(n int) (*dataset.Dataset, []uint) {
	d := dataset.New(w.Size, 2*w.Count, 2*n)
	var truth []uint
	on := uint(0)
	for i := range n {
		lamp := w.rng.IntN(w.Count)
		action := strips.ActionID(1 + 2*lamp + int(on>>lamp&1))
		next, _ := w.Apply(on, action)
		var index [2]int
		for k, state := range []uint{on, next} {
			image, err := d.AddImage(w.Image(state))
			if err != nil {
				panic(err)
			}
			index[k] = image
			truth = append(truth, state)
		}
		if err := d.AddTransition(dataset.Transition{Before: index[0], After: index[1],
			Action: action, Follows: i > 0}); err != nil {
			panic(err)
		}
		on = next
	}
	return d, truth
}

// NewLamps is two lamps in images of 16x16 pixels.
func NewLamps(seed uint64) Lamps {
	return Lamps{Count: 2, Size: 16, Light: 0.2, rng: rand.New(rand.NewPCG(seed, 1))}
}

// Apply is what an action makes of a state; false where it is refused.
func (w Lamps) Apply(on uint, a strips.ActionID) (next uint, ok bool) {
	lamp, off := (a-1)/2, (a-1)%2
	return on ^ 1<<lamp, on>>lamp&1 == uint(off)
}
