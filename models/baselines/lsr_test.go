package baselines

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/models/bundle"
	"stripswm/models/dataset"
	"stripswm/models/dataset/datasettest"
	"stripswm/models/inference"
	"stripswm/models/pixels"
)

// bigLamps are two in images as large as LSR learns from.
func bigLamps(seed uint64) datasettest.Lamps {
	w := datasettest.NewLamps(seed)
	w.Size = 64
	return w
}

// kept is a bundle of what was learned.
func kept(t testing.TB, l *Learned, side int, leave ...bundle.Role) *bundle.Bundle {
	t.Helper()
	w := must(bundle.Create(filepath.Join(t.TempDir(), "bundle"), bundle.Manifest{
		Image: &bundle.Image{Height: side, Width: side, Encoding: "rgb8",
			Resize: string(pixels.Letterbox)}}))
	defer w.Abort()
	for _, p := range l.Parts {
		if slices.Contains(leave, p.Role) {
			continue
		}
		if err := w.Add(p.Part, p.Data); err != nil {
			t.Fatal(err)
		}
	}
	return must(w.Commit())
}

func view(w datasettest.Lamps, on uint) pixels.RGB {
	return pixels.RGB{Width: w.Size, Height: w.Size, Pix: w.Image(on)}
}

// solvedPairs counts the pairs of states of which the plan between images leads from one to the
// other.
func solvedPairs(t *testing.T, w datasettest.Lamps, p Planner, states uint) (solved int) {
	for from := range states {
		for to := range states {
			plan, found, err := p.Plan(t.Context(), view(w, from), view(w, to))
			if err != nil {
				t.Fatal(err)
			}
			at, ok := from, found
			for i := 0; ok && i < len(plan); i++ {
				at, ok = w.Apply(at, plan[i])
			}
			if ok && at == to {
				solved++
			}
		}
	}
	return solved
}

// TestLSRPlans learns in a world of four states by two ways of clustering, and plans between all of
// them from new images.
func TestLSRPlans(t *testing.T) {
	w := bigLamps(1)
	d, _ := w.Transitions(300)
	for _, id := range []string{"lsr", "lsr-hdbscan"} {
		t.Run(id, func(t *testing.T) {
			learner := must(LearnerOf(id))
			learned, err := learner.Learn(t.Context(), d, LearnOptions{Seed: 1, Steps: 100})
			if err != nil {
				t.Fatal(err)
			}
			b := kept(t, learned, w.Size)
			if in := In(b); len(in) != 1 || in[0].Name != "LSR" {
				t.Fatalf("the bundle has %v", in)
			}
			p := must(In(b)[0].Open(b, inference.Options{}))
			defer p.Close()
			solved := solvedPairs(t, w, p, 4)
			if solved < 15 {
				t.Errorf("%d of 16 pairs are solved: %+v", solved, learned.Summary)
			}
		})
	}
}

func TestLSRErrors(t *testing.T) {
	d, _ := bigLamps(3).Transitions(60)
	learner := must(LearnerOf("lsr"))
	learned, err := learner.Learn(t.Context(), d, LearnOptions{Seed: 1, Steps: 3})
	if err != nil {
		t.Fatal(err)
	}
	again := must(learner.Learn(t.Context(), d, LearnOptions{Seed: 1, Steps: 3}))
	for i, p := range again.Parts {
		if !bytes.Equal(p.Data, learned.Parts[i].Data) {
			t.Errorf("the same data and seed gave another %s", p.Role)
		}
	}
	if _, err := OpenLSR(kept(t, learned, d.Size, LSRRoadmap), inference.Options{}); !errors.Is(err,
		bundle.ErrNoPart) {
		t.Errorf("a bundle without a roadmap: %v", err)
	}
	i := slices.IndexFunc(learned.Parts, func(f File) bool { return f.Role == LSRRoadmap })
	whole := learned.Parts[i].Data
	learned.Parts[i].Data = []byte(`{"dims":1,"nodes":[{"centre":[0],"points":1}],"edges":[]}`)
	if _, err := OpenLSR(kept(t, learned, d.Size), inference.Options{}); err == nil ||
		!strings.Contains(err.Error(), "1 numbers a node, the encoder's latents have 12") {
		t.Errorf("a roadmap of another space: %v", err)
	}
	w2 := must(bundle.Create(filepath.Join(t.TempDir(), "bundle"), bundle.Manifest{}))
	defer w2.Abort()
	if err := w2.Add(learned.Parts[i].Part, whole[:len(whole)/2]); err == nil {
		t.Error("half a roadmap is kept")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := learner.Learn(ended, d, LearnOptions{Seed: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended training: %v", err)
	}
	if _, err := learner.Learn(t.Context(), dataset.New(64, 2, 0),
		LearnOptions{Seed: 1}); !errors.Is(err, dataset.ErrData) {
		t.Errorf("no data: %v", err)
	}
}
