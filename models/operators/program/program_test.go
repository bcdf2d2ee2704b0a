package program_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/crillab/gophersat/maxsat"
	"github.com/crillab/gophersat/solver"
	"pgregory.net/rapid"

	"stripswm/models/operators/check"
	"stripswm/models/operators/program"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/taskgraph/graphtest"
)

// door can be opened and closed; sample graphs for the solver must be tiny.
func door() *taskgraph.Graph {
	return graphtest.Of([]string{"open", "close"}, "shut 1 ajar", "ajar 2 shut")
}

func build(t interface{ Fatal(...any) }, g *taskgraph.Graph, m int,
	opt program.Options,
) *program.Program {
	p, err := program.Build(g, check.AllMissing(g), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSolvesTheDoor(t *testing.T) {
	p := build(t, door(), 1, program.Options{})
	best, err := p.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if best.Values != [4]int{0, 0, 2, 2} || best.Proved != [4]bool{true, true, true, true} {
		t.Fatalf("%+v", best)
	}
	m, err := p.Model(best.Value)
	if err != nil {
		t.Fatal(err)
	}
	if sum, faults := check.Model(door(), check.AllMissing(door()), m); len(faults) > 0 ||
		sum.Eta != 0 || sum.Effects != 2 {
		t.Errorf("%+v %v", sum, faults)
	}
}

func TestBuildRefuses(t *testing.T) {
	if _, err := program.Build(door(), nil, 0, program.Options{}); err == nil {
		t.Error("no error for no predicates")
	}
	for name, opt := range map[string]program.Options{
		"more codes than nodes":    {MinUnique: 3},
		"negative number of codes": {MinUnique: -1},
		"unknown node":             {Distinct: [][2]strips.StateID{{0, 2}}},
	} {
		if _, err := program.Build(door(), nil, 1, opt); err == nil {
			t.Errorf("no error for %s", name)
		}
	}
	if _, err := program.Build(door(), []check.Pair{{State: 0, Action: 3}}, 1,
		program.Options{}); err == nil {
		t.Error("no error for a missing pair of no action")
	}
}

// Both written formats must have the optimum of the program itself.
func TestWrittenFormatsHaveTheSameOptimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := graphtest.Noisy(3, 2, 4).Draw(t, "graph")
		opt := program.Options{MinUnique: rapid.IntRange(0, min(2, g.NumStates())).Draw(t, "unique")}
		if g.NumStates() > 1 && rapid.Bool().Draw(t, "distinct") {
			opt.Distinct = [][2]strips.StateID{{0, 1}}
		}
		p := build(t, g, 2, opt)
		best, err := p.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Model(best.Value)
		if err != nil {
			t.Fatal(err)
		}
		if _, faults := check.Model(g, check.AllMissing(g), m); len(faults) > 0 {
			t.Fatal(faults)
		}
		want, unit := 0, 1
		for i := 3; i >= 0; i-- {
			want += unit * best.Values[i]
			unit *= 1 + len(p.Terms[i].Vars)
		}
		var opb, wcnf bytes.Buffer
		if err := p.WriteOPB(&opb); err != nil {
			t.Fatal(err)
		}
		if err := p.WriteWCNF(&wcnf); err != nil {
			t.Fatal(err)
		}
		problem, err := solver.ParseOPB(&opb)
		if err != nil {
			t.Fatal(err)
		}
		if got := solver.New(problem).Minimize(); got != want {
			t.Fatalf("OPB: %d, want %d", got, want)
		}
		s, err := maxsat.ParseWCNF(&wcnf)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Optimal(nil, nil); got.Weight != want {
			t.Fatalf("WCNF: %d, want %d", got.Weight, want)
		}
	})
}

func TestNoAssignment(t *testing.T) {
	g := &taskgraph.Graph{Nodes: make([]taskgraph.Node, 3), Labels: []string{"a"}}
	p := build(t, g, 1, program.Options{MinUnique: 3})
	if _, err := p.Solve(context.Background()); err == nil ||
		!strings.Contains(err.Error(), "no assignment") {
		t.Errorf("three codes of one predicate: %v", err)
	}
}

func ExampleProgram_WriteOPB() {
	p, _ := program.Build(&taskgraph.Graph{Nodes: make([]taskgraph.Node, 1), Labels: []string{"a"}},
		nil, 1, program.Options{})
	_ = p.WriteOPB(os.Stdout)
	// Output:
	// * #variable= 5 #constraint= 2
	// min: +3 x2 +3 x3 +1 x4 +1 x5 ;
	// -1 x2 -1 x3 >= -1 ;
	// -1 x4 -1 x5 >= -1 ;
}
