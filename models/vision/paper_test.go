package vision

import (
	"math"
	"testing"

	"stripswm/models/dataset/datasettest"
	"stripswm/models/networks"
)

// TestPaperPreset takes one training step of the full ConvNeXt-Tiny with all five
// losses, on images of half the side: it is slow here, but must work wherever
// there is a GPU to make it fast.
func TestPaperPreset(t *testing.T) {
	p := Paper()
	p.Batch = 2
	b := p.Backbone.(networks.ConvNeXt)
	b.Size /= 2
	p.Backbone = b
	// torchvision's ConvNeXt-Tiny without its classifier has 27.82 million.
	var l networks.Layout
	p.Backbone.Declare(&l, p.FSQ.Dims)
	if n := l.Count(); n < 27_500_000 || n > 28_500_000 {
		t.Errorf("the backbone has %d weights", n)
	}
	d := datasettest.Noise(t, p.ImageSize(), 18, 4)
	tr, err := newTrainer(d, p, Options{Seed: 1, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.close()
	before := append([]float32(nil), tr.engine.State().Weights()...)
	if err := tr.oneStep(); err != nil {
		t.Fatal(err)
	}
	moved := 0
	for i, w := range tr.engine.State().Weights() {
		if w != before[i] {
			moved++
		}
	}
	if share := float64(moved) / float64(len(before)); share < 0.95 {
		t.Errorf("only %.0f %% of the weights moved", 100*share)
	}
	if total := tr.engine.Sums[0]; math.IsNaN(total) || total <= 0 {
		t.Errorf("loss %g", total)
	}
}
