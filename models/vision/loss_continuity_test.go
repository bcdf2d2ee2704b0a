package vision

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
)

// TestContinuityComparesPairs works the loss out by hand: rows i and batch/2+i of
// a batch, where they are linked.
func TestContinuityComparesPairs(t *testing.T) {
	const batch, dims = 6, 2
	rng := rand.New(rand.NewPCG(1, 1))
	now, next := make([]float32, batch*dims), make([]float32, batch*dims)
	for i := range now {
		now[i], next[i] = rng.Float32(), rng.Float32()
	}
	p, err := compile(func(in []*g.Node) []*g.Node {
		return []*g.Node{g.Reshape(continuity(in[0], in[1], in[2]), 1)}
	}, []shapes.Shape{
		shapes.Make(dtypes.Float32, batch, dims), shapes.Make(dtypes.Float32, batch, dims), shapes.Make(dtypes.Float32, batch/2),
	}, 1, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	for _, linked := range [][]float32{{1, 1, 1}, {1, 0, 1}, {0, 0, 0}} {
		sum, links := 0.0, 0.0
		for i, l := range linked {
			for k := range dims {
				apart := next[i*dims+k] - now[(batch/2+i)*dims+k]
				sum += float64(l * apart * apart)
			}
			links += float64(l)
		}
		want, got := sum/max(links, 1), filled(t, make([]float32, 1), 1)
		in := []ort.Value{filled(t, now, batch, dims), filled(t, next, batch, dims), filled(t, linked, batch/2)}
		if err := p.run(in, []ort.Value{got}); err != nil {
			t.Fatal(err)
		}
		if math.Abs(float64(got.GetData()[0])-want) > 1e-5 {
			t.Errorf("links %v: %g, want %g", linked, got.GetData()[0], want)
		}
	}
}

// TestContinuityKeepsStatesWhole learns a recording so short that its pictures can
// be learned by heart, under a light that changes from picture to picture.
func TestContinuityKeepsStatesWhole(t *testing.T) {
	codes := func(weight float64, follows bool) int {
		w := newLamps(7)
		w.light = 0.6
		d, _ := w.transitions(t, 80)
		if !follows {
			for i := range d.Transitions {
				d.Transitions[i].Follows = false
			}
		}
		p := tiny()
		p.Vary = false
		p.Objective["choice"], p.Objective["continuity"] = Term{Weight: 1}, Term{Weight: weight}
		p.WorldModel.Settled = 0
		learned, err := TrainWorldModel(context.Background(), d, p, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return learned.History[len(learned.History)-1].Codes
	}
	without, with, unlinked := codes(0, true), codes(1, true), codes(1, false)
	if with > without/2 {
		t.Errorf("%d codes with continuity, %d without: want less than half", with, without)
	}
	if unlinked != without {
		t.Errorf("%d codes where no transition follows on another, %d without continuity", unlinked, without)
	}
}
