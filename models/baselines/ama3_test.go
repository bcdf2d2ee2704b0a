package baselines

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"stripswm/models/baselines/autoencoder"
	"stripswm/models/bundle"
	"stripswm/models/dataset"
	"stripswm/models/inference"
	"stripswm/models/networks"
	"stripswm/models/pixels"
	"stripswm/models/planner/check"
	"stripswm/models/strips"
)

// switches is a wall with three lamps, each with a skill to switch it on, 1 to 3, and one to
// switch it off, 4 to 6. Its states are sets of lamps.
type switches struct{ rng *rand.Rand }

const lampSide = 16

// image shows the lamps that are on, with some noise.
func (w switches) image(state int) []uint8 {
	pix := make([]uint8, 0, lampSide*lampSide*3)
	for y := range lampSide {
		for x := range lampSide {
			lamp, light := x*3/lampSide, 60
			if state>>lamp&1 == 1 && y > 3 && y < 12 {
				light = 200
			}
			for range 3 {
				pix = append(pix, uint8(light+w.rng.IntN(9)))
			}
		}
	}
	return pix
}

func (w switches) apply(state, action int) (next int, ok bool) {
	lamp := 1 << ((action - 1) % 3)
	if on := state&lamp != 0; on == (action <= 3) {
		return state, false
	}
	return state ^ lamp, true
}

// record is a recording of that many transitions.
func (w switches) record(t *testing.T, n int) *dataset.Dataset {
	d := dataset.New(lampSide, 6, 2*n)
	add := func(state int) int {
		i, err := d.AddImage(w.image(state))
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	state := 0
	for len(d.Transitions) < n {
		action := 1 + w.rng.IntN(6)
		next, ok := w.apply(state, action)
		if !ok {
			continue
		}
		if err := d.AddTransition(dataset.Transition{Before: add(state), After: add(next),
			Action: strips.ActionID(action), Follows: len(d.Transitions) > 0}); err != nil {
			t.Fatal(err)
		}
		state = next
	}
	return d
}

func (w switches) rgb(state int) pixels.RGB {
	return pixels.RGB{Width: lampSide, Height: lampSide, Pix: w.image(state)}
}

// smallAMA3 is ama3Network for the lamps.
func smallAMA3(d *dataset.Dataset) autoencoder.Settings {
	a, cube := ama3Network, ama3Network.Latent.(autoencoder.CubeSpace)
	cube.Bits, cube.Actions = 8, d.Actions
	a.Backbone = networks.Isotropic{Size: lampSide, Patch: 4, Dim: 16, Depth: 1, Kernel: 3,
		Expand: 2, Reduced: 4, Hidden: 32}
	a.Decoder = autoencoder.Decoder{Size: lampSide, Patch: 4, Dim: 16, Depth: 1, Kernel: 3,
		Expand: 2, Hidden: 32}
	a.Latent, a.Steps = cube, 1500
	return a
}

// learnedAMA3 is a bundle of the lamps.
func learnedAMA3(t *testing.T, w switches) (*AMA3, AMA3Summary) {
	t.Helper()
	d := w.record(t, 400)
	learned, err := learnCubeSpace(t.Context(), d, smallAMA3(d), LearnOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	out, err := bundle.Create(filepath.Join(t.TempDir(), "ama3"), bundle.Manifest{Preset: "ama3",
		Versions: bundle.Versions{Program: "test", Go: "go1"}, Inputs: []bundle.Input{},
		Image: &bundle.Image{Height: lampSide, Width: lampSide, Encoding: "rgb8",
			Resize: string(pixels.Letterbox)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range learned.Parts {
		if err := out.Add(p.Part, p.Data); err != nil {
			t.Fatal(err)
		}
	}
	b, err := out.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if all := In(b); len(all) != 1 || all[0].ID != "ama3" {
		t.Fatalf("the bundle has the baselines %v", all)
	}
	a, err := OpenAMA3(b, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a, learned.Summary.(AMA3Summary)
}

// TestAMA3PlansFromImages learns the lamps, plans between all pairs of their states, and has
// the plans replayed by the check and in the world itself.
func TestAMA3PlansFromImages(t *testing.T) {
	w := switches{rand.New(rand.NewPCG(1, 1))}
	a, s := learnedAMA3(t, w)
	if s.Codes != 8 || s.Foreseen != s.Transitions || s.Transitions != 400 {
		t.Errorf("learned: %+v", s)
	}
	solved := 0
	for start := range 8 {
		for goal := range 8 {
			from, to := w.rgb(start), w.rgb(goal)
			plan, found, err := a.Plan(t.Context(), from, to)
			if err != nil {
				t.Fatal(err)
			}
			if !found {
				t.Errorf("no plan from %03b to %03b", start, goal)
				continue
			}
			bits := func(image pixels.RGB) strips.State {
				s, err := a.Bits(image)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			if err := check.Plan(a.labels, bits(from), bits(to),
				a.labelled(t, from, to, plan)); err != nil {
				t.Error(err)
			}
			at := start
			for _, action := range plan {
				next, ok := w.apply(at, int(action))
				if !ok {
					break
				}
				at = next
			}
			if at == goal {
				solved++
			}
		}
	}
	if solved != 64 {
		t.Errorf("%d of 64 plans lead to the goal", solved)
	}
	steps, found, err := a.Imagine(t.Context(), w.rgb(0), w.rgb(5))
	if err != nil || !found || len(steps) != 2 {
		t.Fatal(len(steps), found, err)
	}
	var light []bool
	for lamp := range 3 {
		light = append(light, steps[1].Image.Pix[(8*lampSide+3+5*lamp)*3] > 130)
	}
	if !slices.Equal(light, []bool{true, false, true}) {
		t.Errorf("after two switches it imagines %v", light)
	}
}

// labelled is the plan of labels that a plan of actions came of.
func (a *AMA3) labelled(t *testing.T, from, to pixels.RGB,
	plan []strips.ActionID) []strips.ActionID {
	t.Helper()
	_, labels, _, err := a.find(t.Context(), from, to)
	if err != nil || len(labels) != len(plan) {
		t.Fatal(labels, plan, err)
	}
	for i, l := range labels {
		if a.actions[l-1] != plan[i] {
			t.Fatalf("step %d is label %d of action %d, the plan has %d", i+1, l, a.actions[l-1],
				plan[i])
		}
	}
	return labels
}

// TestAMA3SeparatesStates begins with a prior so heavy that every image has one code.
func TestAMA3SeparatesStates(t *testing.T) {
	d := switches{rand.New(rand.NewPCG(2, 2))}.record(t, 100)
	a := smallAMA3(d)
	cube := a.Latent.(autoencoder.CubeSpace)
	cube.PriorShare = 2000
	a.Latent, a.Steps = cube, 300
	one, err := learnCubeSpace(t.Context(), d, a, LearnOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	several, err := learnDistinct(t.Context(), d, a, LearnOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if one, several := one.Summary.(AMA3Summary).Codes,
		several.Summary.(AMA3Summary).Codes; one != 1 || several < 2 {
		t.Errorf("%d codes, then %d: want one, then several", one, several)
	}
}
