package operators_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/operators/program"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/taskgraph/graphtest"
)

// withUnused adds labels that never apply.
func withUnused(g *taskgraph.Graph, labels int) *taskgraph.Graph {
	h := *g
	for i := range labels {
		h.Labels = append(h.Labels[:len(h.Labels):len(h.Labels)], fmt.Sprint("never", i))
	}
	return &h
}

type referee interface {
	Fatalf(string, ...any)
	Skipf(string, ...any)
}

// optimum solves the paper's monolithic program with m predicates; with none,
// every missing pair is an exception.
func optimum(t referee, g *taskgraph.Graph, m int,
	opt operators.Options,
) (values [4]int, possible bool) {
	missing := check.AllMissing(g)
	if m == 0 {
		return [4]int{0, len(missing)}, len(opt.Distinct.List(g.NumStates())) == 0 && opt.MinUnique <= 1
	}
	p, err := program.Build(g, missing, m, program.Options{Distinct: opt.Distinct.List(g.NumStates()),
		MinUnique: opt.MinUnique})
	if err != nil {
		t.Fatalf("%v", err)
	}
	best, err := p.Solve(context.Background())
	if errors.Is(err, program.ErrSolver) {
		t.Skipf("no verdict: %v", err)
	}
	return best.Values, err == nil
}

// claims holds every proof and bound of a report against the monolithic program
// with as many predicates, and the number of these against one fewer.
func claims(t referee, g *taskgraph.Graph, r operators.Report, opt operators.Options) {
	best, possible := optimum(t, g, r.Predicates, opt)
	if !possible {
		t.Fatalf("a model where there is none: %+v", r)
	}
	got := [4]int{r.Xi, r.Eta, r.Effects, r.Preconditions}
	bound, proved := [4]int{r.Bounds.Xi, r.Bounds.Eta}, [4]bool{r.Proved.Xi, r.Proved.Eta}
	for i := range got {
		if bound[i] > best[i] || got[i] < best[i] || proved[i] && got[i] > best[i] {
			t.Fatalf("objective %d: the optimum is %v, the report says %+v", i, best, r)
		}
		if got[i] != best[i] {
			return // what comes after it is not comparable
		}
	}
	if opt.Predicates == 0 && r.Predicates > 0 && r.Proved.Predicates {
		if fewer, possible := optimum(t, g, r.Predicates-1, opt); possible && fewer[0] == best[0] &&
			fewer[1] == best[1] {
			t.Fatalf("%d predicates reach xi and eta too: %+v", r.Predicates-1, r)
		}
	}
	if r.Bounds.Predicates > r.Predicates {
		t.Fatalf("a bound above the number of predicates: %+v", r)
	}
}

// holds learns a graph, and holds what is claimed against the monolithic program. Only a number of
// predicates may be too few for what is asked.
func holds(t referee, g *taskgraph.Graph, opt operators.Options) {
	opt.AllowCollapse = true
	r, err := operators.Learn(context.Background(), g, opt)
	distinct := len(opt.Distinct.Pairs) > 0 || opt.MinUnique > 0
	if err != nil && opt.Predicates > 0 && distinct {
		return // said to have found none
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
	if _, faults := check.Model(g, check.AllMissing(g), r.Model); len(faults) > 0 {
		t.Fatalf("%v", faults)
	}
	for _, pair := range opt.Distinct.Pairs {
		if r.Model.States[pair[0]].Code == r.Model.States[pair[1]].Code {
			t.Fatalf("nodes %v have one code", pair)
		}
	}
	s := r.Report
	if s.DistinctCodes < opt.MinUnique {
		t.Fatalf("%d codes, want %d", s.DistinctCodes, opt.MinUnique)
	}
	if opt.Predicates == 0 && s.Xi == 0 {
		least, err := operators.Learn(context.Background(), g,
			operators.Options{Single: true, AllowCollapse: true})
		if err != nil || !s.Proved.Xi || !s.Proved.Eta || s.Eta != least.Report.Eta {
			t.Fatalf("xi or eta is not the least or without a proof (%v): %+v", err, s)
		}
	}
	claims(t, g, s, opt)
}

// Whatever the graph and the options, with nodes to keep distinct and actions that never apply,
// what is claimed must be true of the paper's monolithic program.
func TestLearnerAgreesWithTheMonolithicProgram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.SampledFrom([]*rapid.Generator[*taskgraph.Graph]{graphtest.Noisy(4, 3, 7),
			graphtest.Noisy(5, 2, 6), graphtest.Noisy(6, 2, 7)}).Draw(t, "kind").Draw(t, "graph")
		opt := operators.Options{Predicates: rapid.IntRange(0, 3).Draw(t, "m")}
		if opt.Predicates == 0 {
			g = withUnused(g, rapid.IntRange(0, 2).Draw(t, "unused"))
		}
		state := rapid.IntRange(0, g.NumStates()-1)
		for range rapid.IntRange(0, 3).Draw(t, "pairs") {
			a, b := state.Draw(t, "one"), state.Draw(t, "other")
			if a != b {
				opt.Distinct.Pairs = append(opt.Distinct.Pairs,
					[2]strips.StateID{strips.StateID(a), strips.StateID(b)})
			}
		}
		if opt.Predicates > 1 && rapid.Bool().Draw(t, "several codes") {
			opt.MinUnique = rapid.IntRange(0, g.NumStates()).Draw(t, "unique")
		}
		holds(t, g, opt)
	})
}

// The same work gives the same model, with a clock or without, and the report
// says when the clock cut it short.
func TestWorkNotTheClockDecides(t *testing.T) {
	g := sample(t, "dinner101_s3")
	learn := func(opt operators.Options) *operators.Result {
		opt.Work = 2
		r, err := operators.Learn(context.Background(), g, opt)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	free, clocked, cut := learn(operators.Options{}), learn(operators.Options{
		Budget: time.Hour}), learn(operators.Options{Budget: time.Nanosecond})
	if text(t, free) != text(t, clocked) {
		t.Error("two runs of the same work differ")
	}
	if free.Report.CutShort || clocked.Report.CutShort || !cut.Report.CutShort {
		t.Errorf("cut short: %t and %t with time, %t without", free.Report.CutShort,
			clocked.Report.CutShort, cut.Report.CutShort)
	}
}
