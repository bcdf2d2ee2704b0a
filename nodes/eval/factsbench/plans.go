package main

import (
	"context"
	"fmt"

	"stripswm/models/facts"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// query is a pair of never-recorded states and its closed loop.
type query struct {
	start, at, goal sim.State
	aim             facts.Recognition
	plan            []strips.ActionID
	expected        strips.State // after the last action, if it did what it should
	images, moves   int
	ended           bool
}

// Bounds of a closed loop.
const (
	maxImages  = 5 // images in a row that are refused, or from which no plan leads on
	maxMoves   = 60
	maxReached = 50_000 // states of a search; the worlds have fewer
)

// plans prints how many plans from and to images of never-recorded states lead to the goal.
func (b *bench) plans(ctx context.Context) error {
	all := make([]*query, b.queries)
	var states []sim.State
	for i := range all {
		q := &query{start: b.asked[b.rng.IntN(len(b.asked))]}
		for q.goal = q.start; q.goal == q.start; {
			q.goal = b.asked[b.rng.IntN(len(b.asked))]
		}
		q.at = q.start
		all[i] = q
		states = append(states, q.start, q.goal)
	}
	seen, err := b.see(ctx, states, 2)
	if err != nil {
		return err
	}
	var solved, wrong, refused, length int
	for i, q := range all {
		start, goal := seen[2*i], seen[2*i+1]
		q.aim = goal
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

// closedLoop executes each plan with a new image after each action, and plans again where the image
// shows something else than expected. A goal whose image is refused is photographed again.
func (b *bench) closedLoop(ctx context.Context, all []*query) error {
	reached, wrong, replans := 0, 0, 0
	for round := uint64(3); ; round++ {
		var active []*query
		var states []sim.State
		for _, q := range all {
			if q.ended {
				continue
			}
			active = append(active, q)
			if q.aim.Refusal != "" {
				states = append(states, q.goal)
			} else {
				states = append(states, q.at)
			}
		}
		if len(active) == 0 {
			break
		}
		seen, err := b.see(ctx, states, round)
		if err != nil {
			return err
		}
		for i, q := range active {
			again, at, err := b.step(ctx, q, seen[i])
			if err != nil {
				return err
			}
			replans += again
			if !at {
				continue
			}
			if q.at == q.goal {
				reached++
			} else {
				wrong++
			}
		}
	}
	n := len(all)
	fmt.Printf("closed loop, %d pairs: %.1f %% solved, %.1f %% wrong, %.1f %% given up; "+
		"%d new plans\n", n, percent(reached, n), percent(wrong, n), percent(n-reached-wrong, n),
		replans)
	return nil
}

// step goes on with a query after an image: at says that the image shows the goal.
func (b *bench) step(ctx context.Context, q *query, r facts.Recognition) (again int, at bool,
	err error) {
	if q.images++; q.images > maxImages || q.moves > maxMoves {
		q.ended = true
		return 0, false, nil
	}
	if q.aim.Refusal != "" {
		q.aim = r
		return 0, false, nil
	}
	if r.Refusal != "" {
		return 0, false, nil
	}
	is, goal := strips.StateOf(r.Values), strips.StateOf(q.aim.Values)
	if is == goal {
		q.ended = true
		return 0, true, nil
	}
	if is != q.expected || len(q.plan) == 0 {
		if q.expected != (strips.State{}) {
			again = 1
		}
		if q.plan, err = b.plan(ctx, is, goal); err != nil || q.plan == nil {
			return again, false, err
		}
	}
	a := q.plan[0]
	q.plan = q.plan[1:]
	q.expected = b.operator(a).Apply(is)
	if next, ok := b.truth.World().Apply(q.at, a); ok {
		q.at, q.images = next, 0
	}
	q.moves++
	return again, false, nil
}
