package eval

import (
	"fmt"
	"testing"

	"stripswm/models/imageplan"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

func blocks(t testing.TB) (sim.World, *sim.Graph) {
	t.Helper()
	w, err := sim.New("blocksworld")
	if err != nil {
		t.Fatal(err)
	}
	truth, err := sim.Explored(w, 1)
	if err != nil {
		t.Fatal(err)
	}
	return w, truth
}

// answer is a planner's answer to a query.
func answer(outcome planner.Outcome, plan ...strips.ActionID) imageplan.Result {
	return imageplan.Result{Result: planner.Result{Outcome: outcome, Plan: plan}}
}

// TestEveryAnswerIsCounted executes right, roundabout, wrong and missing plans
// for a query of one step.
func TestEveryAnswerIsCounted(t *testing.T) {
	w, truth := blocks(t)
	start := w.Initial()
	edge := truth.Out(start)[0]
	back, ok := truth.Path(edge.To, start)
	if !ok || len(back) != 1 {
		t.Fatalf("no way back from %s in one step", w.Describe(edge.To))
	}
	q := sim.Query{Start: start, Goal: edge.To}
	refused := strips.ActionID(1)
	for _, ok := w.Apply(start, refused); ok; _, ok = w.Apply(start, refused) {
		refused++
	}
	var h Horizon
	h.Horizon = 1
	h.count(truth, w, q, answer(planner.Found, edge.Action), nil)
	h.count(truth, w, q, answer(planner.Found, edge.Action, back[0], edge.Action), nil)
	h.count(truth, w, q, answer(planner.Found, refused), nil)
	h.count(truth, w, q, answer(planner.Found), nil) // stays where it is
	h.count(truth, w, q, answer(planner.Unsolvable), nil)
	h.count(truth, w, q, answer(planner.LimitReached), nil)
	h.count(truth, w, q, answer(planner.Found, edge.Action), fmt.Errorf("start: %w", imageplan.ErrUnrecognized))
	want := Horizon{Horizon: 1, Queries: 7, SolvedGraph: 2, SolvedWorld: 2, Unrecognized: 1, NoPlan: 2, WrongPlan: 2, Shortest: 1}
	if h != want {
		t.Errorf("counted %+v, want %+v", h, want)
	}
	if h.SolvedGraph+h.Unrecognized+h.NoPlan+h.WrongPlan != h.Queries {
		t.Error("the counts do not add up to the queries")
	}
}

func TestPicturesOfQueriesAreInOrder(t *testing.T) {
	w, truth := blocks(t)
	queries := truth.Queries(3, 4)
	n := 0
	for s := range photograph(t.Context(), camera.New(64, 64), w, queries, Options{Seed: 3, Workers: 3}) {
		if s.err != nil {
			t.Fatal(s.err)
		}
		if want := queries[n/4][n%4]; s.query != want || s.horizon != n/4+1 {
			t.Errorf("picture pair %d is of %+v at horizon %d, want %+v", n, s.query, s.horizon, want)
		}
		n++
	}
	if n != 4*len(queries) {
		t.Errorf("%d picture pairs of %d", n, 4*len(queries))
	}
}

func Example() {
	h := Horizon{Horizon: 3, Queries: 200, SolvedGraph: 199, WrongPlan: 1}
	fmt.Printf("horizon %d: %d of %d\n", h.Horizon, h.SolvedGraph, h.Queries)
	// Output: horizon 3: 199 of 200
}
