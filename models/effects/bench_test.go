package effects_test

import (
	"math/rand/v2"
	"testing"

	"stripswm/models/effects"
)

// BenchmarkLearn learns from 3,000 attempts of 60 skills with 64x64 thumbnails: things come to and
// go from 30 places.
func BenchmarkLearn(b *testing.B) {
	const attempts, places, side, size = 3000, 30, 64, 6
	rng := rand.New(rand.NewPCG(1, 1))
	taken := make([]bool, places)
	look := func() []float32 {
		img := make([]float32, 3*side*side)
		for i := range img {
			img[i] = 0.5 + 0.05*rng.Float32()
		}
		for p, is := range taken {
			for i := range size * size {
				at := (p/6*12+2+i/size)*side + p%6*10 + 2 + i%size
				if is {
					img[3*at] += 0.4
				}
			}
		}
		return img
	}
	all := make([]effects.Attempt, attempts)
	for i := range all {
		p := rng.IntN(places)
		all[i] = effects.Attempt{Action: 1 + p, Succeeded: true, Before: look()}
		if taken[p] {
			all[i].Action += places
		}
		taken[p] = !taken[p]
		all[i].After = look()
	}
	for b.Loop() {
		r, err := effects.Learn(b.Context(), all, effects.Options{Channels: 3, Skills: 2 * places})
		if err != nil || len(r.Facts) != places {
			b.Fatalf("%d facts of %d, %v", len(r.Facts), places, err)
		}
	}
}
