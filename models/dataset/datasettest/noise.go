package datasettest

import (
	"math/rand/v2"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/strips"
)

// Noise is a dataset of random pixels, for benchmarks.
func Noise(tb testing.TB, size, actions, transitions int) *dataset.Dataset {
	tb.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	d := dataset.New(size, actions, 2*transitions)
	pix := make([]uint8, size*size*3)
	for i := range transitions {
		for range 2 {
			for j := range pix {
				pix[j] = uint8(rng.IntN(256))
			}
			if _, err := d.AddImage(pix); err != nil {
				tb.Fatal(err)
			}
		}
		if err := d.AddTransition(dataset.Transition{Before: 2 * i, After: 2*i + 1,
			Action: strips.ActionID(1 + i%actions)}); err != nil {
			tb.Fatal(err)
		}
	}
	return d
}
