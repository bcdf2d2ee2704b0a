package planner

import (
	"context"
	"slices"

	"stripswm/models/strips"
)

// windowStates are reached, and estimated, to shorten one part of a plan. A part of a world ten
// times as large has more states: fewer parts are then proved to be shortest, and the plan is as
// good as it was.
const windowStates = 300

// shorten replaces parts of a plan by shorter ones, as block deordering windows do (Siddiqui and
// Haslum 2015): LM-cut searches between the ends of parts of 4, 8, 16, ... steps, and of the
// whole plan last. The plan is shortest if that last search ends without another one.
func (p *Planner) shorten(ctx context.Context, r *Result, goal strips.Goal) {
	for size := 4; ; size *= 2 {
		whole := size >= len(r.Plan)
		for from := 0; from < len(r.Plan); {
			to := min(from+size, len(r.Plan))
			want := goal
			if to < len(r.Plan) {
				want = strips.GoalOf(r.States[to])
			}
			limits, end := Limits{States: windowStates}, newTarget(p.model.Predicates, want)
			s := p.newSearch(r.States[from], end, limits)
			s.estimate = newLMCut(relax(p.model, want)).estimate
			s.bound = float64(to - from)
			outcome := s.bestFirst(ctx, r.States[from])
			r.Expanded += s.expanded
			switch {
			case ctx.Err() != nil:
				return
			case outcome == Found:
				plan, states, _ := s.path(r.States[from])
				r.Plan = slices.Replace(r.Plan, from, to, plan...)
				r.States = slices.Replace(r.States, from, to+1, states...)
				r.Shortest = whole
			case whole:
				r.Shortest = outcome == Unsolvable
			}
			if whole {
				return
			}
			from += size / 2
		}
		if len(r.Plan) == 0 {
			r.Shortest = true
			return
		}
	}
}
