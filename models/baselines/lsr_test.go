package baselines

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/models/bundle"
	"stripswm/models/dataset"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// row is five places in a row for a bright square; action 1 takes it to the right, action 2 to the
// left, and what would leave the row is refused. Images are noisy, and the light changes.
type row struct{ rng *rand.Rand }

const rowPlaces, rowSide = 5, 64

func (w row) image(place int) []uint8 {
	pix := make([]uint8, rowSide*rowSide*3)
	light := 0.9 + 0.2*w.rng.Float64()
	left := 2 + 12*place + w.rng.IntN(2)
	for i := range pix {
		x, y := i/3%rowSide, i/3/rowSide
		value := 60.0
		if x >= left && x < left+10 && y >= 26 && y < 38 {
			value = 200
		}
		pix[i] = uint8(value*light + 4*w.rng.NormFloat64())
	}
	return pix
}

// record records so many attempts.
func (w row) record(t testing.TB, attempts int) *dataset.Dataset {
	t.Helper()
	d := dataset.New(rowSide, 2, 2*attempts)
	at := 0
	for i := range attempts {
		action := w.rng.IntN(2)
		next := at + 1 - 2*action
		refused := next < 0 || next >= rowPlaces
		if refused {
			next = at
		}
		before := must(d.AddImage(w.image(at)))
		tr := dataset.Transition{Before: before, After: must(d.AddImage(w.image(next))),
			Action: strips.ActionID(action + 1), Follows: i > 0}
		add := d.AddTransition
		if refused {
			add = d.AddRefused
		}
		if err := add(tr); err != nil {
			t.Fatal(err)
		}
		at = next
	}
	return d
}

// kept is a bundle of what was learned.
func kept(t testing.TB, l *Learned, leave ...bundle.Role) *bundle.Bundle {
	t.Helper()
	w := must(bundle.Create(filepath.Join(t.TempDir(), "bundle"), bundle.Manifest{
		Image: &bundle.Image{Height: rowSide, Width: rowSide, Encoding: "rgb8",
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

// TestLSRPlansOnARow learns in a world of five states by each way of clustering, and plans between
// all of them from new images.
func TestLSRPlansOnARow(t *testing.T) {
	w := row{rand.New(rand.NewPCG(1, 2))}
	d := w.record(t, 400)
	for _, id := range []string{"lsr", "lsr-hdbscan"} {
		t.Run(id, func(t *testing.T) {
			learner := must(LearnerOf(id))
			learned, err := learner.Learn(t.Context(), d, LearnOptions{Seed: 1, Steps: 100})
			if err != nil {
				t.Fatal(err)
			}
			b := kept(t, learned)
			if in := In(b); len(in) != 1 || in[0].Name != "LSR" {
				t.Fatalf("the bundle has %v", in)
			}
			p := must(In(b)[0].Open(b, inference.Options{}))
			defer p.Close()
			solved := 0
			for from := range rowPlaces {
				for to := range rowPlaces {
					view := func(place int) pixels.RGB {
						return pixels.RGB{Width: rowSide, Height: rowSide, Pix: w.image(place)}
					}
					plan, found, err := p.Plan(t.Context(), view(from), view(to))
					if err != nil {
						t.Fatal(err)
					}
					at := from
					for _, a := range plan {
						at += 3 - 2*int(a)
					}
					if found && at == to {
						solved++
					}
				}
			}
			if pairs := rowPlaces * rowPlaces; 10*solved < 9*pairs {
				t.Errorf("%d of %d pairs are solved: %+v", solved, pairs, learned.Summary)
			}
		})
	}
}

func TestLSRErrors(t *testing.T) {
	w := row{rand.New(rand.NewPCG(3, 4))}
	d := w.record(t, 60)
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
	if _, err := OpenLSR(kept(t, learned, LSRRoadmap), inference.Options{}); !errors.Is(err,
		bundle.ErrNoPart) {
		t.Errorf("a bundle without a roadmap: %v", err)
	}
	i := slices.IndexFunc(learned.Parts, func(f File) bool { return f.Role == LSRRoadmap })
	whole := learned.Parts[i].Data
	learned.Parts[i].Data = []byte(`{"dims":1,"nodes":[{"centre":[0],"points":1}],"edges":[]}`)
	if _, err := OpenLSR(kept(t, learned), inference.Options{}); err == nil ||
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
