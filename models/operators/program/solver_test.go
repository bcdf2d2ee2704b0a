package program

import (
	"context"
	"errors"
	"testing"

	"stripswm/models/operators/check"
	"stripswm/models/taskgraph"
)

// TestSolverIsNotBelieved: on this program gophersat 1.4.0 gives an assignment
// without effects that violates a constraint, and then proves that there is none.
func TestSolverIsNotBelieved(t *testing.T) {
	g := &taskgraph.Graph{Labels: []string{"a", "b"}, Nodes: make([]taskgraph.Node, 4),
		Edges: []taskgraph.Edge{
			{Source: 0, Action: 1, Target: 1, Support: 2}, {Source: 2, Action: 2, Target: 2, Support: 1},
			{Source: 3, Action: 2, Target: 3, Support: 1},
		}}
	for i, code := range []string{"3", "2", "1", "0"} {
		g.Nodes[i] = taskgraph.Node{Support: 2, Code: code}
	}
	p, err := Build(g, check.AllMissing(g), 2, Options{MinUnique: 2})
	if err != nil {
		t.Fatal(err)
	}
	best, err := p.Solve(context.Background())
	if errors.Is(err, ErrSolver) {
		return
	}
	if err != nil || best.Values != [4]int{0, 0, 1, 2} {
		t.Errorf(
			"%v, %v: want 1 effect and 2 preconditions, or an error that says that the solver is wrong",
			best.Values, err)
	}
}
