package eval

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/dataset"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
)

// lamp is a model of a lamp with a switch (action 1) that is stuck while the lid is
// closed, a lid (action 2) that nobody has tried while the lamp is on, and a bulb that
// may fail (action 3) where the lid is open and the lamp on.
func lamp() *strips.Model {
	m := &strips.Model{Predicates: 2, Operators: []strips.Operator{
		{Action: 1, Name: "switch", PrePos: []strips.Predicate{1}, Toggle: []strips.Predicate{0}},
		{Action: 2, Name: "lid", Toggle: []strips.Predicate{1}},
		{Action: 3, Name: "bulb"},
	}}
	for i := range 4 {
		m.States = append(m.States, strips.Known{Node: strips.StateID(i), Code: state(i)})
	}
	m.Exceptions = []strips.Exception{{Node: 0, Action: 3}, {Node: 1, Action: 3}, {Node: 2, Action: 3}}
	m.Untried = []strips.Untried{{Node: 1, Action: 2}, {Node: 3, Action: 2}}
	m.Nondeterministic = []strips.Nondeterminism{
		{Node: 3, Action: 3, Outcomes: []strips.Outcome{{Target: 2, Count: 1}, {Target: 3, Count: 1}}}}
	return m
}

// state has the lamp on in 1 and 3, the lid open in 2 and 3.
func state(i int) strips.State { return strips.StateOf([]bool{i&1 > 0, i&2 > 0}) }

// film is images by the state that each is classified as, -1 for none.
type film []int

func (f film) Image(image int) (pixels.RGB, error) {
	if image >= len(f) {
		return pixels.RGB{}, errors.New("no such image")
	}
	return pixels.RGB{Width: image}, nil
}

func (f film) Recognize(p pixels.RGB) (imageplan.Recognition, error) {
	s := f[p.Width]
	if s < 0 {
		return imageplan.Recognition{Refusal: imageplan.OutOfDistribution}, nil
	}
	return imageplan.Recognition{Code: state(s), Place: planner.Place{
		Nodes: []strips.StateID{strips.StateID(s)}}}, nil
}

func TestEvaluate(t *testing.T) {
	type attempt struct {
		from   int
		action strips.ActionID
		to     int // as from: refused
	}
	skill := func(s Skill) Skill { s.Transitions, s.Evaluated = 1, 1; return s }
	refused := func(s Skill) Skill { s.Refusals, s.RefusalsEvaluated = 1, 1; return s }
	for name, c := range map[string]struct {
		attempt
		want    Skill
		verdict string
	}{
		"foreseen": {attempt{2, 1, 3}, skill(Skill{Predicted: 1}), ""},
		"elsewhere": {attempt{2, 1, 0}, skill(Skill{Elsewhere: 1}),
			"switch: from s2 came to s0"},
		"preconditions exclude it": {attempt{0, 1, 1}, skill(Skill{Excluded: 1}),
			"switch: does not apply in s0, came to s1"},
		"an exception excludes it": {attempt{0, 3, 1}, skill(Skill{Excluded: 1}),
			"bulb: does not apply in s0, came to s1"},
		"untried":           {attempt{1, 2, 3}, skill(Skill{}), ""},
		"nondeterministic":  {attempt{3, 3, 2}, skill(Skill{}), ""},
		"refused, foreseen": {attempt{0, 1, 0}, refused(Skill{RefusalsForeseen: 1}), ""},
		"refused, excepted": {attempt{2, 3, 2}, refused(Skill{RefusalsForeseen: 1}), ""},
		"refused, surprisingly": {attempt{2, 1, 2}, refused(Skill{RefusalsNot: 1}),
			"switch: applies in s2, was refused"},
		"refused, untried":        {attempt{3, 2, 3}, refused(Skill{}), ""},
		"not recognized before":   {attempt{-1, 1, 3}, Skill{Transitions: 1}, ""},
		"not recognized after":    {attempt{2, 1, -1}, Skill{Transitions: 1}, ""},
		"refused, not recognized": {attempt{-1, 1, -1}, Skill{Refusals: 1}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := dataset.New(1, 3, 2)
			f := film{c.from, c.to}
			for range f {
				_, _ = d.AddImage([]uint8{0, 0, 0})
			}
			add, after := d.AddTransition, 1
			if c.from == c.to {
				add, after = d.AddRefused, 0
			}
			must(0, add(dataset.Transition{Before: 0, After: after, Action: c.action}))
			r := must(judged(context.Background(), f, lamp(), d, f, nil))
			want := c.want
			want.Action, want.Name = c.action, lamp().Label(c.action)
			if diff := cmp.Diff(want, r.Skills[c.action-1]); diff != "" {
				t.Error(diff)
			}
			want.Action, want.Name = 0, "all"
			if diff := cmp.Diff(want, r.All); diff != "" {
				t.Error(diff)
			}
			if got := len(r.Examples) == 1; got != (c.verdict != "") || got &&
				r.Examples[0].Verdict != c.verdict {
				t.Errorf("examples %+v, want %q", r.Examples, c.verdict)
			}
		})
	}
}

func TestIntervalsAndImages(t *testing.T) {
	// The lid is opened and the lamp switched on; then the image before the next
	// attempt is classified as another state, and the one after that for none.
	f := film{0, 2, 2, 3, 1, 3, -1, 2}
	d := dataset.New(1, 3, len(f))
	for range f {
		_, _ = d.AddImage([]uint8{0, 0, 0})
	}
	for i, a := range []strips.ActionID{2, 1, 1, 1} {
		must(0, d.AddTransition(dataset.Transition{Before: 2 * i, After: 2*i + 1, Action: a,
			Follows: i > 0}))
	}
	r := must(judged(context.Background(), f, lamp(), d, f, nil))
	if want := (Intervals{Intervals: 3, Evaluated: 2, Agreed: 1}); r.Intervals != want {
		t.Errorf("%+v, want %+v", r.Intervals, want)
	}
	if r.Images != 8 || r.Recognized() != 7 || r.Refused[imageplan.OutOfDistribution] != 1 {
		t.Errorf("%d of %d images, refused %v", r.Recognized(), r.Images, r.Refused)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := judged(canceled, f, lamp(), d, f, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestExamplesAreOfAllSkills(t *testing.T) {
	e := func(n int) Unforeseen { return Unforeseen{Before: n} }
	got := inTurn([][]Unforeseen{{e(1), e(2), e(3)}, nil, {e(4)}, {e(5), e(6)}}, 5)
	if diff := cmp.Diff([]Unforeseen{e(1), e(4), e(5), e(2), e(6)}, got); diff != "" {
		t.Error(diff)
	}
}
