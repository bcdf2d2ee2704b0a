package operators_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/operators/program"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// noisy draws small graphs, nondeterministic ones and actions without edges
// included.
func noisy(states, actions, edges int) *rapid.Generator[*taskgraph.Graph] {
	return rapid.Custom(func(t *rapid.T) *taskgraph.Graph {
		labels := make([]string, actions)
		for a := range labels {
			labels[a] = string(rune('a' + a))
		}
		b := taskgraph.NewBuilder(labels)
		state := rapid.IntRange(0, states-1)
		for range rapid.IntRange(1, edges).Draw(t, "edges") {
			source, target := fmt.Sprint(state.Draw(t, "source")), fmt.Sprint(state.Draw(t, "target"))
			if err := b.Observe(source, strips.ActionID(rapid.IntRange(1, actions).Draw(t, "action")), target); err != nil {
				t.Fatal(err)
			}
		}
		return b.Graph()
	})
}

// The learner must reach the optimum of the paper's monolithic program, for any
// number of predicates.
func TestLearnerAgreesWithTheMonolithicProgram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := noisy(4, 3, 7).Draw(t, "graph")
		m := rapid.IntRange(1, 3).Draw(t, "m")
		p, err := program.Build(g, check.AllMissing(g), m, program.Options{})
		if err != nil {
			t.Fatal(err)
		}
		best, err := p.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		r, err := operators.Learn(context.Background(), g, operators.Options{Predicates: m, AllowCollapse: true})
		if err != nil {
			t.Fatal(err)
		}
		got := [4]int{r.Report.Xi, r.Report.Eta, r.Report.Effects, r.Report.Preconditions}
		proved := [4]bool{r.Report.Proved.Xi, r.Report.Proved.Eta, r.Report.Proved.Effects, r.Report.Proved.Preconditions}
		for i := range got {
			if got[i] == best.Values[i] {
				continue
			}
			if proved[i] || i < 3 && g.Stats().ActionsSeen == g.NumActions() {
				t.Fatalf("m = %d: got %v, proved %v, want %v", m, got, proved, best.Values)
			}
			break // what comes after it is not comparable
		}
		if _, faults := check.Model(g, check.AllMissing(g), r.Model); len(faults) > 0 {
			t.Fatal(faults)
		}
	})
}
