package policy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// world is where skills lead: next[s][a-1], -1 where they are refused.
type world [][]int

// row is a line of places, with skills to go up and down, and one that never applies.
func row(places int) world {
	var w world
	for s := range places {
		up, down := s+1, s-1
		if up == places {
			up = -1
		}
		w = append(w, []int{up, down, -1})
	}
	return w
}

func of(t testing.TB, name string) world {
	t.Helper()
	w, err := sim.New(name)
	if err != nil {
		t.Fatal(err)
	}
	all := make(world, w.NumStates())
	for s := range all {
		for a := 1; a <= w.NumActions(); a++ {
			next, ok := w.Apply(sim.State(s), strips.ActionID(a))
			if all[s] = append(all[s], int(next)); !ok {
				all[s][a-1] = -1
			}
		}
	}
	return all
}

func (w world) labels() []string {
	var all []string
	for a := range w[0] {
		all = append(all, fmt.Sprint("skill-", a+1))
	}
	return all
}

func code(s int) string { return fmt.Sprint("state ", s) }

// explorer is a chooser at a place of a world, and what it did.
type explorer struct {
	*Chooser
	world
	at      int
	choices []Choice
	visited map[int]bool
}

func explore(t require, w world, start int, o Options) *explorer {
	t.Helper()
	c, err := New(w.labels(), o)
	if err != nil {
		t.Fatal(err)
	}
	return &explorer{Chooser: c, world: w, at: start, visited: map[int]bool{start: true}}
}

// require is what testing.T and rapid.T have in common.
type require interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// attempt makes one attempt; false where the chooser is stuck.
func (e *explorer) attempt(t require) bool {
	t.Helper()
	choice, err := e.Next(ctx, code(e.at))
	if errors.Is(err, ErrStuck) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	e.choices = append(e.choices, choice)
	e.try(t, choice.Action)
	return true
}

func (e *explorer) try(t require, a strips.ActionID) {
	t.Helper()
	to := e.world[e.at][a-1]
	if err := e.Observe(ctx, CodeAttempt{At: code(e.at), Action: a, Refused: to < 0,
		To: code(to)}); err != nil {
		t.Fatal(err)
	}
	if to >= 0 {
		e.at = to
		e.visited[to] = true
	}
}

var ctx = context.Background()

var worlds = rapid.Custom(func(t *rapid.T) world {
	states, actions := rapid.IntRange(1, 7).Draw(t, "states"), rapid.IntRange(1, 5).Draw(t, "actions")
	w := make(world, states)
	for s := range w {
		w[s] = rapid.SliceOfN(rapid.IntRange(-1, states-1), actions, actions).Draw(t, "leads to")
	}
	return w
})

// TestNothingIsTriedTwiceBeforeAllIsTried: a trial is of a pair that was never tried, at the node
// that it names; a move is a step of a known path to one; and checks begin only when every pair
// that can be reached was tried.
func TestNothingIsTriedTwiceBeforeAllIsTried(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := worlds.Draw(t, "world")
		e := explore(t, w, 0, Options{Seed: rapid.Uint64().Draw(t, "seed")})
		tried := map[string]bool{}
		for range 60 {
			at := e.at
			if !e.attempt(t) {
				break
			}
			c := e.choices[len(e.choices)-1]
			key := fmt.Sprint(c.At, c.Trial)
			switch c.Kind {
			case Trial:
				if c.At != code(at) || c.Action != c.Trial || c.Steps != 0 || tried[key] {
					t.Fatalf("at %d the trial %+v", at, c)
				}
				tried[key] = true
			case Move:
				if c.Steps < 1 || w[at][c.Action-1] < 0 {
					t.Fatalf("at %d the move %+v", at, c)
				}
			}
			if c.Kind != Check && (c.Kind != Move || !tried[key]) {
				continue
			}
			for s := range w.reach(at) {
				for a := range w[s] {
					if !tried[fmt.Sprint(code(s), a+1)] {
						t.Fatalf("at %d it checks, %+v, and %d was never tried at %d", at, c, a+1, s)
					}
				}
			}
		}
	})
}

// reach are the states that a state can be left for, itself among them.
func (w world) reach(from int) map[int]bool {
	all, queue := map[int]bool{from: true}, []int{from}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for _, to := range w[s] {
			if to >= 0 && !all[to] {
				all[to] = true
				queue = append(queue, to)
			}
		}
	}
	return all
}

// TestUnseenEndsWithNothing: when all that can be reached was tried, no edge is expected, and what
// is left unknown is how seldom it was seen that what was tried comes out the same.
func TestUnseenEndsWithNothing(t *testing.T) {
	w := row(5)
	e := explore(t, w, 0, Options{})
	for range 60 {
		if !e.attempt(t) {
			t.Fatal("stuck on a row that can be walked both ways")
		}
	}
	u, err := e.Unseen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if u.States != 5 || u.Edges != 8 || u.Paths != 1 || u.MoreEdges != 0 || u.MoreStates != 0 ||
		u.Success() < 0.95 || u.Success() >= 1 {
		t.Errorf("of a row of five: %+v, success %g", u, u.Success())
	}
}

func TestUnseenExpectsMoreAtFirst(t *testing.T) {
	e := explore(t, row(9), 4, Options{})
	for range 4 {
		e.attempt(t)
	}
	u, err := e.Unseen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if u.MoreEdges <= 0 || u.MoreStates <= 0 || u.Success() >= 1 {
		t.Errorf("after four attempts: %+v", u)
	}
}

func TestExcludedIsNeverTried(t *testing.T) {
	e := explore(t, of(t, "blocksworld"), 0, Options{Excluded: []strips.ActionID{2, 5}})
	for e.attempt(t) && len(e.choices) < 400 {
	}
	for _, c := range e.choices {
		if c.Action == 2 || c.Action == 5 || c.Trial == 2 || c.Trial == 5 {
			t.Fatalf("%+v", c)
		}
	}
}

// TestRegionIsComeBackTo: outside nothing is tried while there is a known path back, and in the end
// the region is known as if it were all, and not left any more.
func TestRegionIsComeBackTo(t *testing.T) {
	w := row(30)
	e := explore(t, w, 15, Options{Within: 6})
	outside := func(s int) bool { return !e.inside(e.memory.node(code(s))) }
	for range 200 {
		was := e.at
		_, _, order := e.memory.paths(e.memory.node(code(was)), e.ever)
		home := slices.ContainsFunc(order, e.inside)
		if !e.attempt(t) {
			t.Fatal("stuck")
		}
		c := e.choices[len(e.choices)-1]
		if outside(was) && c.Kind == Trial && home {
			t.Fatalf("at %d, with a known way back: %+v", was, c)
		}
		if len(e.choices) > 150 && outside(e.at) {
			t.Fatalf("attempt %d leaves the region: %+v", len(e.choices), c)
		}
	}
	u, err := e.Unseen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if u.States != 6 || u.Paths != 1 {
		t.Errorf("%+v", u)
	}
}

// TestOfIntervalsAllActionsAreTried: where no code comes again all that is tried is new, and two
// skills that undo each other always apply. They are tried less where it is said that codes are
// static intervals.
func TestOfIntervalsAllActionsAreTried(t *testing.T) {
	toAndFro := func(intervals bool) (n int) {
		w := world{{1, -1, -1, -1, -1}, {-1, 0, -1, -1, -1}}
		c, err := New(w.labels(), Options{Intervals: intervals})
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for range 40 {
			choice, err := c.Next(ctx, code(n))
			if err != nil {
				t.Fatal(err)
			}
			a := CodeAttempt{At: code(n), Action: choice.Action, Refused: true}
			if to := w[at][choice.Action-1]; to >= 0 {
				n++
				at, a.Refused, a.To = to, false, code(n)
			}
			if err := c.Observe(ctx, a); err != nil {
				t.Fatal(err)
			}
		}
		return n
	}
	if of, not := toAndFro(true), toAndFro(false); of >= not {
		t.Errorf(
			"of 40 attempts %d are of the two that undo each other, %d where nothing says that codes are "+
				"static intervals", of, not)
	}
}

func TestStuckWhereNothingLeadsOn(t *testing.T) {
	e := explore(t, world{{1, -1}, {-1, -1}}, 0, Options{})
	for e.attempt(t) {
		if len(e.choices) > 4 {
			t.Fatal("four pairs, and a fifth attempt")
		}
	}
	if e.at != 1 {
		t.Errorf("stuck at %d", e.at)
	}
}

func TestAllExcluded(t *testing.T) {
	if e := explore(t, row(3), 0, Options{Excluded: []strips.ActionID{1, 2, 3}}); e.attempt(t) {
		t.Errorf("%+v", e.choices)
	}
}

func TestSameSeedSameChoices(t *testing.T) {
	run := func() []Choice {
		e := explore(t, of(t, "blocksworld"), 0, Options{Seed: 7})
		for range 120 {
			e.attempt(t)
		}
		return e.choices
	}
	if !slices.Equal(run(), run()) {
		t.Error("two runs with one seed chose differently")
	}
}

func TestUnknownActions(t *testing.T) {
	if _, err := New([]string{"a"}, Options{Excluded: []strips.ActionID{2}}); err == nil {
		t.Error("an action that does not exist was excluded")
	}
	c, err := New([]string{"a"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []strips.ActionID{-1, 0, 2} {
		if err := c.Observe(ctx, CodeAttempt{At: "x", Action: a, To: "y"}); err == nil {
			t.Errorf("action %d was observed", a)
		}
	}
}

// TestSeesMoreThanUniform compares with a robot that draws its skill evenly: attempts until all
// states were seen and all pairs of them have a path, over three seeds.
func TestSeesMoreThanUniform(t *testing.T) {
	w := of(t, "blocksworld")
	until := func(e *explorer, step func()) int {
		for n := 1; n < 5000; n++ {
			step()
			if e.knows(len(w)) {
				return n
			}
		}
		t.Fatal("not seen in 5,000 attempts")
		return 0
	}
	chosen, drawn := 0, 0
	for seed := range uint64(3) {
		e := explore(t, w, 0, Options{Seed: seed})
		chosen += until(e, func() { e.attempt(t) })
		u, rng := explore(t, w, 0, Options{}), rand.New(rand.NewPCG(seed, 1))
		drawn += until(u, func() { u.try(t, strips.ActionID(1+rng.IntN(len(w[0])))) })
	}
	t.Logf("%d attempts, uniform %d", chosen/3, drawn/3)
	if 2*chosen > drawn {
		t.Errorf("%d attempts, more than half of uniform's %d", chosen/3, drawn/3)
	}
}

// TestCalibrationLearnsWhatTells has outcomes that follow one feature and not another.
func TestCalibrationLearnsWhatTells(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	c := newCalibration()
	for range 600 {
		x := features{1, rng.NormFloat64(), float64(rng.IntN(2)), 0}
		p := 1 / (1 + math.Exp(-(-2 + 3*x[2])))
		c.learn(x, rng.Float64() < p)
	}
	for i, want := range []float64{-2, 0, 3} {
		if math.Abs(c.weights[i]-want) > 0.5 {
			t.Errorf("weight %d is %.2f, want about %g", i, c.weights[i], want)
		}
	}
}
