package vision

import (
	"fmt"
	"testing"

	"stripswm/models/dataset/datasettest"
)

// BenchmarkStep times stage 1 training steps on one and two threads. images/s
// counts the images that are encoded with a backward pass.
func BenchmarkStep(b *testing.B) {
	for _, p := range []Preset{Small(), Medium()} {
		d := datasettest.Noise(b, p.ImageSize(), 18, 4*p.Batch)
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", p.Name, threads), func(b *testing.B) {
				t, err := newTrainer(d, p, Options{Threads: threads})
				if err != nil {
					b.Fatal(err)
				}
				defer t.close()
				for b.Loop() {
					if err := t.oneStep(); err != nil {
						b.Fatal(err)
					}
					t.step++
				}
				b.ReportMetric(float64(2*p.Batch*b.N)/b.Elapsed().Seconds(), "images/s")
			})
		}
	}
}
