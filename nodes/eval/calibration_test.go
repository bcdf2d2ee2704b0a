package eval

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/imageplan"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/sim"
)

// image is a recognition with the given probabilities.
func img(m *strips.Model, probabilities ...float32) imageplan.Recognition {
	values := make([]bool, len(probabilities))
	for i, p := range probabilities {
		values[i] = p >= 0.5
	}
	code := strips.StateOf(values)
	r := imageplan.Recognition{Probabilities: probabilities, Code: code,
		Place: planner.Locate(m, code), Used: code}
	if !r.Place.Known() {
		r.Refusal = imageplan.Unknown
	}
	return r
}

// light is a model of three states: off, on and broken.
func light() *strips.Model {
	return &strips.Model{Predicates: 2, States: []strips.Known{
		{Node: 0, Code: strips.NewState(2)}, {Node: 1, Code: strips.NewState(2, 0)},
		{Node: 2, Code: strips.NewState(2, 0, 1)},
	}}
}

func TestImagesAreRightWrongOrUnrecognized(t *testing.T) {
	m := light()
	on := strips.NewState(2, 0)
	var c Calibration
	for _, r := range []imageplan.Recognition{
		img(m, 0.99, 0.01), // right
		img(m, 0.6, 0.4),   // right, though uncertain
		img(m, 0.02, 0.03), // wrong and certain
		img(m, 0.98, 0.7),  // wrong, uncertain
		img(m, 0.01, 0.99), // certain, but no state
	} {
		c.count(r, on)
	}
	if c.Images != 5 || c.Right != 2 || c.Wrong != 2 || c.WrongCertain != 1 || c.Unrecognized != 1 {
		t.Errorf("counted %+v", c)
	}
}

func TestMajorityIsOfKnownImages(t *testing.T) {
	m := light()
	on, off, none := img(m, 0.9, 0.1), img(m, 0.1, 0.1), img(m, 0.1, 0.9)
	if got := majority([]imageplan.Recognition{none, off, none, on, on, none}); got != on.Code {
		t.Errorf("majority code %s, want %s", got, on.Code)
	}
	if got := majority([]imageplan.Recognition{off, on, on, off}); got != on.Code {
		t.Errorf("majority code %s of two with as many images, want the first to have them, %s", got,
			on.Code)
	}
	if got := majority([]imageplan.Recognition{none, none}); got != (strips.State{}) {
		t.Errorf("majority code %s of images that are not known", got)
	}
}

// TestAliasedStates: of four true states, two are usually classified as one.
func TestAliasedStates(t *testing.T) {
	m := light()
	on, off, none := img(m, 0.9, 0.1), img(m, 0.1, 0.1), img(m, 0.1, 0.9)
	s := &stateRecognitions{states: make([]sim.State, 4), majority: []strips.State{on.Code, on.Code,
		off.Code, {}},
		seen: [][][]imageplan.Recognition{{{on, on}, {on, off}, {off, none}, {none, none}}}}
	a := abstraction(&taskgraph.Graph{}, 0, m, s)
	if a.Aliased != 2 || a.Outliers != 1 || a.Unrecognized != 3 || a.Images != 8 || a.TrueStates != 4 {
		t.Errorf("%+v: want 2 aliased, 1 outlier, 3 not recognized, of 8", a)
	}
}

// TestTrustIsHeldAgainstTheWorld leaves one transition of the world out of a recording
// that has seen all others often.
func TestTrustIsHeldAgainstTheWorld(t *testing.T) {
	w, truth := blocks()
	b := taskgraph.NewBuilder(make([]string, w.NumActions()))
	m := &strips.Model{}
	s := &stateRecognitions{source: &simulated{graph: truth}, states: truth.States()}
	left := truth.Out(w.Initial())[0]
	node := map[string]strips.State{}
	for i, state := range s.states {
		code := strips.StateOf([]bool{i&1 > 0, i&2 > 0, i&4 > 0, i&8 > 0})
		s.majority = append(s.majority, code)
		node[w.Describe(state)] = code
		for _, e := range truth.Out(state) {
			for range 20 {
				if e != left {
					_ = b.Observe(w.Describe(e.From), e.Action, w.Describe(e.To))
				}
			}
		}
	}
	g := b.Graph()
	for i, n := range g.Nodes {
		m.States = append(m.States, strips.Known{Node: strips.StateID(i), Code: node[n.Code]})
	}
	var a Abstraction
	if err := a.countTrusted(g, m, s); err != nil || a.Accepted != 1 || a.Trusted < 200 {
		t.Errorf("of %d trusted pairs the world accepts %d, %v; want 1 of some 250", a.Trusted,
			a.Accepted, err)
	}
}

func TestReliabilityOfOnePredicate(t *testing.T) {
	var sums tally
	for _, p := range []struct {
		probability float64
		holds       bool
	}{{0.9, true}, {0.92, true}, {0.94, false}, {0.1, false}, {1, true}} {
		sums.add(p.probability, p.holds)
	}
	r := sums.reliability()
	// The last bin has four images, at 0.94 on average, of which three hold.
	want := []Bin{{1, 0.1, 0}, {4, 0.94, 0.75}}
	if !slices.EqualFunc(r.Bins, want, func(a, b Bin) bool {
		return a.Images == b.Images && math.Abs(a.Predicted-b.Predicted) < 1e-9 &&
			math.Abs(a.Holds-b.Holds) < 1e-9
	}) {
		t.Errorf("bins %v, want %v", r.Bins, want)
	}
	if ece := (0.1 + 4*(0.94-0.75)) / 5; math.Abs(r.ECE-ece) > 1e-9 {
		t.Errorf("ECE %v, want %v", r.ECE, ece)
	}
	if brier := (0.01 + 0.0064 + 0.8836 + 0.01 + 0) / 5; math.Abs(r.Brier-brier) > 1e-9 {
		t.Errorf("Brier %v, want %v", r.Brier, brier)
	}
	if r := new(tally).reliability(); r.ECE != 0 || r.Brier != 0 || r.Bins != nil {
		t.Errorf("of nothing: %+v", r)
	}
}

// TestReliabilityBounds: ECE and Brier of any predictions lie in 0..1, the
// bins have every image, and predictions that are always right cost nothing.
func TestReliabilityBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var any, right tally
		n := rapid.IntRange(1, 50).Draw(t, "images")
		for range n {
			p, holds := rapid.Float64Range(0, 1).Draw(t, "probability"), rapid.Bool().Draw(t, "holds")
			any.add(p, holds)
			right.add(map[bool]float64{true: 1}[holds], holds)
		}
		r := any.reliability()
		images := 0
		for _, b := range r.Bins {
			images += b.Images
		}
		if r.ECE < 0 || r.ECE > 1 || r.Brier < 0 || r.Brier > 1 || images != n {
			t.Fatalf("%+v of %d images", r, n)
		}
		// By Jensen, the error of the bins' means is at most that of the images.
		if r.ECE*r.ECE > r.Brier+1e-9 {
			t.Fatalf("ECE %v is more than the root of Brier %v", r.ECE, r.Brier)
		}
		if r := right.reliability(); r.ECE != 0 || r.Brier != 0 {
			t.Fatalf("right predictions cost %+v", r)
		}
	})
}

func TestPredicatesOfUnknownStatesAreLeftOut(t *testing.T) {
	m := light()
	seen := [][]imageplan.Recognition{{img(m, 0.8, 0.2)}, {img(m, 0.3, 0.9)}}
	each, together := reliabilities(seen, []strips.State{strips.NewState(2, 0), {}}, 2)
	if len(each) != 2 || each[0].Bins[0] != (Bin{1, float64(float32(0.8)), 1}) ||
		each[1].Bins[0].Holds != 0 {
		t.Errorf("by predicate %+v", each)
	}
	if n := together.Bins[0].Images + together.Bins[1].Images; len(together.Bins) != 2 || n != 2 {
		t.Errorf("together %+v", together)
	}
}

func TestAbstentionIsWeighed(t *testing.T) {
	var a Abstention
	for _, q := range []struct{ known, found, reaches bool }{
		{true, true, true}, {true, true, false}, {true, false, false}, // planned either way
		{false, true, true}, {false, true, false}, {false, true, false}, {false, false, false},
	} {
		a.count(q.known, q.found, q.reaches)
	}
	want := Abstention{Queries: 7, With: Outcomes{1, 1, 1, 4}, Without: Outcomes{2, 3, 2, 0},
		WrongAvoided: 2, RightLost: 1}
	if a != want {
		t.Errorf("weighed %+v, want %+v", a, want)
	}
}
