package vision

import (
	"math/rand/v2"
	"testing"

	"stripswm/models/strips"
)

// noiseData is a data set of random pixels: fit for timing, not for learning.
func noiseData(tb testing.TB, size, actions, transitions int) *Dataset {
	tb.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	d := NewDataset(size, actions, 2*transitions)
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
		if err := d.AddTransition(Transition{Before: 2 * i, After: 2*i + 1, Action: strips.ActionID(1 + i%actions)}); err != nil {
			tb.Fatal(err)
		}
	}
	return d
}

// BenchmarkStep times stage 1 training steps of the small preset on one and two
// threads; images/s counts the images that are encoded with a backward pass.
func BenchmarkStep(b *testing.B) {
	p := Small()
	d := noiseData(b, p.Encoder.Size, 18, 4*p.Batch)
	for _, threads := range []int{1, 2} {
		b.Run(map[int]string{1: "threads=1", 2: "threads=2"}[threads], func(b *testing.B) {
			t, err := newTrainer(d, p, Options{Threads: threads})
			if err != nil {
				b.Fatal(err)
			}
			defer t.close()
			for b.Loop() {
				if err := t.one(); err != nil {
					b.Fatal(err)
				}
				t.step++
			}
			b.ReportMetric(float64(2*p.Batch*b.N)/b.Elapsed().Seconds(), "images/s")
		})
	}
}
