package regions

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/check"
	"stripswm/models/operators/internal/work"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// sample is a sample graph, or its first states, of which every missing pair is
// trusted.
func sample(t *testing.T, name string, states int) *Problem {
	t.Helper()
	g, err := taskgraph.ReadFile(filepath.Join("..", "..", "testdata", name+".dfa"))
	if err != nil {
		t.Fatal(err)
	}
	if states > 0 {
		g.Nodes = g.Nodes[:states]
		g.Edges = slices.DeleteFunc(g.Edges, func(e taskgraph.Edge) bool {
			return max(int(e.Source), int(e.Target)) >= states
		})
	}
	return New(g, check.AllMissing(g), nil, false)
}

// With the core of one skill alone for its edges the question has no answer still, and without any
// one of the core it has.
func TestCoreOfOneAction(t *testing.T) {
	g := sample(t, "blocksworld", 0).graph.Relabel(func(label string) string {
		words := strings.Split(label, "_")
		return words[0] + "_" + words[1]
	})
	possible := func(question func(*Questions) Question, keep func(taskgraph.Edge) bool) bool {
		h := *g
		h.Edges = nil
		for _, e := range g.Edges {
			if keep(e) {
				h.Edges = append(h.Edges, e)
			}
		}
		q := New(&h, nil, nil, false).NewQuestions(t.Context())
		_, ruledOut := q.Core(question(q))
		return !ruledOut
	}
	p := New(g, check.AllMissing(g), nil, false)
	d := p.Decide(t.Context())
	var questions []func(*Questions) Question
	for _, pair := range d.Alike(t.Context()) {
		questions = append(questions, func(q *Questions) Question { return q.Distinguish(pair) })
	}
	for _, pair := range d.Lost() {
		questions = append(questions, func(q *Questions) Question { return q.Separate(pair) })
	}
	if len(questions) < 20 {
		t.Fatalf("%d questions", len(questions))
	}
	for i, question := range questions {
		action := strips.ActionID(1 + i%g.NumActions())
		all := p.NewQuestions(t.Context())
		core := map[taskgraph.Edge]bool{}
		for _, e := range all.CoreOf(action, question(all)) {
			core[g.Edges[e]] = true
		}
		kept := func(e taskgraph.Edge) bool { return e.Action != action || core[e] }
		if possible(question, kept) {
			t.Errorf("question %d has an answer with the core of action %d alone", i, action)
		}
		for out := range core {
			if !possible(question, func(e taskgraph.Edge) bool { return kept(e) && e != out }) {
				t.Errorf("question %d has no answer without %v", i, out)
			}
		}
	}
}

// Complementing a region changes nothing but the sign of its effects.
func TestComplementSeparatesTheSame(t *testing.T) {
	for _, name := range []string{"blocksworld", "hanoi_3x3", "gripper_4"} {
		p := sample(t, name, 0)
		p.keepDistinct([][2]int{{0, 1}, {2, 5}})
		all, listed := enumerate(work.UntilDone(t.Context()), p, enumerateMost)
		if !listed {
			t.Fatal("too many regions")
		}
		for _, c := range all {
			d, fits := p.regionOf(p.complement(c.x))
			if !fits || d.effects != c.effects || !slices.Equal(d.cover, c.cover) {
				t.Errorf("%s: the complement of %v fits: %t, %d effects instead of %d", name, c.x, fits,
					d.effects, c.effects)
			}
		}
	}
}

// The choice must be as cheap as the best found by trying all.
func TestHittingIsExact(t *testing.T) {
	sets := func(rows ...[]int) (out []bitset.Set) {
		for _, row := range rows {
			b := bitset.New(6)
			for _, i := range row {
				b.Set(i)
			}
			out = append(out, b)
		}
		return out
	}
	for _, c := range []struct {
		sets  []bitset.Set
		costs []int
		want  []int
	}{
		{nil, []int{1, 1}, nil},
		{sets([]int{0, 1}, []int{1, 2}, []int{2, 3}), []int{1, 1, 1, 1, 1, 1}, []int{1, 2}},
		{sets([]int{0, 1}, []int{0, 2}, []int{0, 3}), []int{4, 1, 1, 1, 1, 1}, []int{1, 2, 3}},
		{sets([]int{0, 1}, []int{0, 2}, []int{0, 3}), []int{2, 1, 1, 1, 1, 1}, []int{0}},
		{sets([]int{4}, []int{4, 5}), []int{1, 1, 1, 1, 9, 1}, []int{4}},
	} {
		choice, bound := hitting(work.UntilDone(t.Context()), c.sets, c.costs, 1000)
		cost := 0
		for _, i := range choice {
			cost += c.costs[i]
		}
		if !slices.Equal(choice, c.want) || bound != cost {
			t.Errorf("%v: chose %v at %d (bound %d), want %v", c.sets, choice, cost, bound, c.want)
		}
	}
}

// Whatever an effect says of values, it must say of literals too.
func TestEffectsFitAsTheirClauses(t *testing.T) {
	from, to := z.Var(1).Pos(), z.Var(2).Pos()
	for _, e := range everything {
		for _, values := range [][2]bool{{false, false}, {false, true}, {true, false}, {true, true}} {
			value := map[z.Lit]bool{from: values[0], from.Not(): !values[0], to: values[1],
				to.Not(): !values[1]}
			satisfied := true
			for _, clause := range e.clauses(from, to) {
				some := false
				for _, lit := range clause {
					some = some || value[lit]
				}
				satisfied = satisfied && some
			}
			if satisfied != e.fits(values[0], values[1]) {
				t.Errorf("effect %d from %t to %t: clauses %t, fits %t", e, values[0], values[1], satisfied,
					!satisfied)
			}
		}
	}
}

// Where the regions are too many to list, asking for all at once still proves
// the number of predicates.
func TestCloseGap(t *testing.T) {
	p := sample(t, "dinner101_s3", 50)
	d := p.Decide(t.Context())
	want := p.constraints.Clone()
	want.Remove(d.lost)
	w := work.New(t.Context(), 40e6)
	if _, listed := enumerate(w, p, enumerateMost); listed {
		t.Fatal("the regions can be listed")
	}
	o := newOracle(p, work.New(t.Context(), 2e6))
	best, known := smallCover(newOracle(p, work.New(t.Context(), 1e6)), d.pool, want, 0)
	clique := largeClique(o, p.rarest(w, known, want), known, 0)
	bound, regions := p.closeGap(w, clique, want, d.pool)
	if bound != 9 || len(regions) != 9 {
		t.Fatalf("bound %d and a cover of %d, want 9 and 9 (clique %d, greedy %d)", bound, len(regions),
			len(clique), len(best))
	}
	open := want.Clone()
	for _, c := range regions {
		open.Remove(c.cover)
	}
	if !open.Empty() {
		t.Errorf("%d separation constraints are open", open.Count())
	}
}

// A bound must never be above what the listed regions prove to be the optimum.
func TestCloseGapAgreesWithTheListedRegions(t *testing.T) {
	for name, m := range map[string]int{"blocksworld": 6, "hanoi_3x3": 8, "gripper_4": 11} {
		p := sample(t, name, 0)
		w := work.UntilDone(t.Context())
		pool := p.Decide(t.Context()).pool
		o := newOracle(p, work.New(t.Context(), 1e6))
		clique := largeClique(o, p.rarest(w, pool, p.constraints), pool, 0)
		bound, regions := p.closeGap(w, clique, p.constraints, pool)
		if bound != m || len(regions) != m {
			t.Errorf("%s: bound %d and a cover of %d, want %d", name, bound, len(regions), m)
		}
	}
}

// hard asks for as few regions as there can be for the separation constraints of a sample graph.
func hard(t *testing.T) *joint {
	p := sample(t, "hanoi_3x3", 0)
	j := newJoint(p, work.UntilDone(t.Context()), 8, nil)
	for _, constraint := range members(p.constraints) {
		j.require(constraint)
	}
	return j
}

// A question that takes so many steps is answered with just these, whatever the
// clock, and never with one fewer.
func TestDecideDependsOnTheStepsAlone(t *testing.T) {
	const most = 1 << 40
	w := work.New(t.Context(), most)
	answer := w.Decide(hard(t).solver)
	used := most - w.Left()
	if answer == 0 || used < 100_000 {
		t.Fatalf("answer %d after %d steps: not hard", answer, used)
	}
	for steps, want := range map[int64]int{used: answer, used - 1: 0, used / 3: 0} {
		w := work.New(t.Context(), steps)
		if got := w.Decide(hard(t).solver); got != want || w.Left() != 0 || w.CutShort() {
			t.Errorf("%d of %d steps: answer %d, want %d; %d left", steps, used, got, want, w.Left())
		}
	}
}

func TestTheContextCutsShort(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := work.New(ctx, 1)
	if w.Decide(hard(t).solver) != 0 || !w.Over() || !w.CutShort() {
		t.Error("an ended context was not noticed")
	}
	if done := work.New(ctx, 0); !done.Over() || done.CutShort() {
		t.Error("work that was done is said to be cut short")
	}
}
