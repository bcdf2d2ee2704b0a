package main

import (
	"context"
	"fmt"

	"stripswm/models/facts"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// query is a pair of never-recorded states, and what an image of the goal shows.
type query struct {
	start, goal sim.State
	target      facts.Recognition
}

// maxReached is how many states a search reaches at most; the worlds have fewer.
const maxReached = 50_000

// plans prints how many plans from and to images of never-recorded states lead to the goal.
func (b *bench) plans(ctx context.Context) error {
	all := make([]query, b.queries)
	var states []sim.State
	for i := range all {
		q := query{start: b.asked[b.rng.IntN(len(b.asked))]}
		for q.goal = q.start; q.goal == q.start; {
			q.goal = b.asked[b.rng.IntN(len(b.asked))]
		}
		all[i] = q
		states = append(states, q.start, q.goal)
	}
	seen, err := b.see(ctx, states, 2)
	if err != nil {
		return err
	}
	var solved, wrong, refused, length int
	for i := range all {
		q, start, goal := all[i], seen[2*i], seen[2*i+1]
		all[i].target = goal
		if start.Refusal != "" || goal.Refusal != "" {
			refused++
			continue
		}
		steps, err := b.plan(ctx, strips.StateOf(start.Values), strips.StateOf(goal.Values))
		if err != nil {
			return err
		}
		if steps == nil {
			continue
		}
		if b.execute(q.start, steps) == q.goal {
			solved++
			length += len(steps)
		} else {
			wrong++
		}
	}
	n := len(all)
	fmt.Printf("open loop, %d pairs: %.1f %% solved, %.1f %% wrong, %.1f %% refused, %.1f %% "+
		"without a plan; mean length %.1f\n", n, percent(solved, n), percent(wrong, n),
		percent(refused, n), percent(n-solved-wrong-refused, n),
		float64(length)/float64(max(solved, 1)))
	return b.closedLoop(ctx, all)
}

// plan is a shortest plan between vectors; nil if there is none.
func (b *bench) plan(ctx context.Context, from, to strips.State) ([]strips.ActionID, error) {
	r, err := b.search.Find(ctx, from, to, planner.BreadthFirst, planner.Limits{States: maxReached})
	if err != nil || r.Outcome != planner.Found {
		return nil, err
	}
	return append([]strips.ActionID{}, r.Plan...), nil
}

// execute returns where a plan leads; it stops at an action that is refused.
func (b *bench) execute(s sim.State, steps []strips.ActionID) sim.State {
	for _, a := range steps {
		next, ok := b.truth.World().Apply(s, a)
		if !ok {
			return s
		}
		s = next
	}
	return s
}
