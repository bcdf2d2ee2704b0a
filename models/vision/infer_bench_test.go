package vision

import (
	"math/rand/v2"
	"testing"

	"stripswm/models/dataset/datasettest"
	"stripswm/models/inference"
)

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
