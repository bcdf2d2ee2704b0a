package vision

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"stripswm/models/dataset/datasettest"
	"stripswm/models/inference"
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

// BenchmarkInfer times the small preset's classifier on one image and one core.
func BenchmarkInfer(b *testing.B) {
	p := Small()
	c := Classifier{Backbone: p.Backbone, Predicates: 9}
	l := &LearnedClassifier{Classifier: c, Weights: c.layout().Initial(rand.New(rand.NewPCG(1, 1)))}
	model, err := l.Export()
	if err != nil {
		b.Fatal(err)
	}
	n, err := inference.Open(model, inference.Options{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer n.Close()
	image := datasettest.Noise(b, p.ImageSize(), 1, 1).Image(0)
	for b.Loop() {
		if _, err := n.Run(image); err != nil {
			b.Fatal(err)
		}
	}
}
