package vision

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/augment"
	"stripswm/models/dataset/datasettest"
	"stripswm/models/inference"
	"stripswm/models/networks"
	"stripswm/models/networks/networkstest"
)

// overLinks holds a loss of latents [batch, dims] and links against one worked out by
// hand, for several links.
func overLinks(t *testing.T, batch, dims int, now, next []float32, tolerance float64,
	loss func(now, next, linked *g.Node) *g.Node, byHand func(linked []float32) float64) {
	t.Helper()
	p, err := networks.Compile(func(in []*g.Node) []*g.Node {
		return []*g.Node{g.Reshape(loss(in[0], in[1], in[2]), 1)}
	}, []shapes.Shape{
		shapes.Make(dtypes.Float32, batch, dims), shapes.Make(dtypes.Float32, batch, dims),
		shapes.Make(dtypes.Float32, batch/2),
	}, 1, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, linked := range [][]float32{{1, 1, 1}, {1, 0, 1}, {0, 0, 0}} {
		want, got := byHand(linked), networkstest.Filled(t, make([]float32, 1), 1)
		in := []ort.Value{networkstest.Filled(t, now, batch, dims),
			networkstest.Filled(t, next, batch, dims), networkstest.Filled(t, linked, batch/2)}
		if err := p.Run(in, []ort.Value{got}); err != nil {
			t.Fatal(err)
		}
		if math.Abs(float64(got.GetData()[0])-want) > tolerance {
			t.Errorf("links %v: %g, want %g", linked, got.GetData()[0], want)
		}
	}
}

// TestContinuityComparesPairs works the loss out by hand: rows i and batch/2+i of
// a batch, where they are linked.
func TestContinuityComparesPairs(t *testing.T) {
	const batch, dims = 6, 2
	rng := rand.New(rand.NewPCG(1, 1))
	now, next := make([]float32, batch*dims), make([]float32, batch*dims)
	for i := range now {
		now[i], next[i] = rng.Float32(), rng.Float32()
	}
	overLinks(t, batch, dims, now, next, 1e-5, continuity, func(linked []float32) float64 {
		sum, links := 0.0, 0.0
		for i, l := range linked {
			for k := range dims {
				off := next[i*dims+k] - now[(batch/2+i)*dims+k]
				sum += float64(l * off * off)
			}
			links += float64(l)
		}
		return sum / max(links, 1)
	})
}

// TestContinuityKeepsStatesWhole learns a recording so short that its images can
// be overfitted, under a light that changes from image to image.
func TestContinuityKeepsStatesWhole(t *testing.T) {
	w := datasettest.NewLamps(7)
	w.Light = 0.6
	d, _ := w.Transitions(80)
	learn := func(weight float64, steps int) *Learned {
		t.Helper()
		p := tiny()
		p.Augment = augment.None
		p.Objective["choice"], p.Objective["continuity"] = Term{Weight: 1}, Term{Weight: weight}
		p.WorldModel.Settled, p.WorldModel.Steps = 0, steps
		learned, err := TrainWorldModel(context.Background(), d, p, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return learned
	}
	last := func(l *Learned) int { return l.History[len(l.History)-1].Codes }
	if without, with := last(learn(0, 400)), last(learn(1, 400)); with > without/2 {
		t.Errorf("%d codes with continuity, %d without: want less than half", with, without)
	}
	for i := range d.Transitions {
		d.Transitions[i].Follows = false
	}
	if !slices.Equal(learn(0, 20).Teacher, learn(1, 20).Teacher) {
		t.Error("continuity changes what is learned where no transition follows on another")
	}
}
