package operators_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/worlds/fixtures"
)

// Where few skills do several things each, every state keeps a code of its own, no
// slack is paid, and the operators are not many more than the things they do.
func TestFewSkills(t *testing.T) {
	for name, c := range map[string]struct {
		graph *taskgraph.Graph
		work  int
		most  int
	}{
		"hanoi 3":                      {fixtures.Hanoi(3).Graph(), 6, 18},
		"tiles 2x2":                    {fixtures.Tiles(2, 2).Graph(), 6, 8},
		"lights out 2x3":               {fixtures.LightsOut(2, 3).Graph(), 6, 6},
		"lights out 3x3":               {fixtures.LightsOut(3, 3).Graph(), 6, 9},
		"key and door":                 {fixtures.KeyDoor().Graph(), 6, 24},
		"blocksworld, state-dependent": {coarse(sample(t, "blocksworld"), 1), 6, 11},
		"dinnertable, state-dependent": {coarse(sample(t, "dinner101_s2"), 2), 24, 70},
	} {
		t.Run(name, func(t *testing.T) {
			r := learn(t, c.graph, operators.Options{Work: c.work})
			if s := r.Report; s.DistinctCodes != s.States || s.Xi != 0 || s.Eta != 0 ||
				s.Operators > c.most || s.Bounds.Operators > s.Operators {
				t.Errorf("%+v, want %d codes, no slack and at most %d operators", s, s.States, c.most)
			}
			exclusive(t, r.Model)
		})
	}
}

// exclusive reports variants of one action that apply in one known state.
func exclusive(t *testing.T, m *strips.Model) {
	t.Helper()
	overlaps := 0
	for i, o := range m.Operators {
		for _, p := range m.Operators[:i] {
			if o.Action == p.Action && !opposed(o, p) {
				overlaps++
			}
		}
	}
	t.Logf("%d of %d operators: %d pairs overlap", len(m.Operators), m.Actions(), overlaps)
	for _, k := range m.States {
		for a := strips.ActionID(1); int(a) <= m.Actions(); a++ {
			apply := 0
			for _, op := range m.Variants(a) {
				if op.Applicable(k.Code) {
					apply++
				}
			}
			if apply > 1 {
				t.Errorf("%d variants of %s apply in node %d", apply, m.Label(a), k.Node)
			}
		}
	}
}

func opposed(a, b strips.Operator) bool {
	meet := func(x, y []strips.Predicate) bool {
		return slices.ContainsFunc(x, func(q strips.Predicate) bool { return slices.Contains(y, q) })
	}
	return meet(a.PrePos, b.PreNeg) || meet(a.PreNeg, b.PrePos)
}

// An action that slips is nondeterministic where it does, everything else is
// explained, and nothing is out of reach for it.
func TestNondeterminism(t *testing.T) {
	exact := fixtures.Hanoi(3).Graph()
	b := taskgraph.NewBuilder(exact.Labels)
	name := func(s strips.StateID) string { return exact.Nodes[s].Code }
	slips := exact.Edges[len(exact.Edges)/2]
	for _, e := range exact.Edges {
		for range 10 {
			if err := b.Observe(name(e.Source), e.Action, name(e.Target)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 4 { // nothing happens
		if err := b.Observe(name(slips.Source), slips.Action, name(slips.Source)); err != nil {
			t.Fatal(err)
		}
	}
	merged, err := operators.Merge(context.Background(), b.Graph(), nil)
	if err != nil || merged.Graph.NumStates() != 27 {
		t.Fatal(merged.Graph.NumStates(), err)
	}
	r := learn(t, merged.Graph, operators.Options{Work: 2})
	if len(r.Model.Nondeterministic) != 1 || r.Report.DistinctCodes != 27 || r.Report.Eta != 0 ||
		r.Report.Nondeterministic != 1 {
		t.Fatalf("nondeterministic pairs %+v, %+v", r.Model.Nondeterministic, r.Report)
	}
	c := r.Model.Nondeterministic[0]
	if c.Action != slips.Action || len(c.Outcomes) != 2 ||
		c.Outcomes[0].Count+c.Outcomes[1].Count != 14 {
		t.Errorf("%+v, want the outcomes of %+v", c, slips)
	}
	for _, from := range r.Model.States {
		if n := reached(r.Model, from.Code); n != 27 {
			t.Fatalf("%d states are reached from node %d: every one can be without the slip", n, from.Node)
		}
	}
}

// reached counts the states that a model's certain actions lead to.
func reached(m *strips.Model, from strips.State) int {
	seen := map[strips.State]bool{from: true}
	for open := []strips.State{from}; len(open) > 0; open = open[1:] {
		for a := strips.ActionID(1); int(a) <= m.Actions(); a++ {
			if next, ok := m.Successor(open[0], a); ok && !seen[next] {
				seen[next] = true
				open = append(open, next)
			}
		}
	}
	return len(seen)
}

func TestSameOptionsSameModel(t *testing.T) {
	for name, g := range map[string]*taskgraph.Graph{"regions listed": sample(t, "hanoi_3x3"),
		"regions sought": sample(t, "dinner101_s3"), "variants": fixtures.KeyDoor().Graph()} {
		opt := operators.Options{Work: 1, Seed: 3}
		first, second := text(t, learn(t, g, opt)), text(t, learn(t, g, opt))
		if first != second {
			t.Errorf("%s: two runs differ", name)
		}
	}
}

// endsAfter is a context that ends when it was asked so many times whether it has.
type endsAfter struct {
	context.Context
	left atomic.Int64
}

func (c *endsAfter) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterruptedSearchKeepsTheBest: whenever the context ends, there is a model without
// a fault, the report says that it was cut short, and what the search had found
// until then is not lost.
func TestInterruptedSearchKeepsTheBest(t *testing.T) {
	g := fixtures.KeyDoor().Graph()
	whole := learn(t, g, operators.Options{Work: 4}).Report.Operators
	fewest := len(g.Edges)
	for _, asked := range []int64{0, 100, 5_000, 20_000} {
		ctx := &endsAfter{Context: t.Context()}
		ctx.left.Store(asked)
		r, err := operators.Learn(ctx, g, operators.Options{Work: 4})
		if err != nil {
			t.Fatalf("after %d: %v", asked, err)
		}
		_, faults := check.Model(g, check.AllMissing(g), r.Model)
		for _, fault := range append(faults, check.Distinct(r.Model, nil)...) {
			t.Errorf("after %d: %v", asked, fault)
		}
		s := r.Report
		if !s.CutShort || s.Operators < whole || s.Operators > len(g.Edges) {
			t.Errorf("after %d: cut short %t, %d operators, %d with all the work", asked, s.CutShort,
				s.Operators, whole)
		}
		t.Logf("after %d: %d operators", asked, s.Operators)
		fewest = min(fewest, s.Operators)
	}
	if 2*fewest > len(g.Edges) {
		t.Errorf("%d operators at best, of %d edges: what was found was lost", fewest, len(g.Edges))
	}
}
