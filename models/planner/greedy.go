package planner

import (
	"container/heap"
	"context"
	"slices"

	"stripswm/models/strips"
)

// relaxedPlan is the heuristic of FF (Hoffmann and Nebel 2001) with the operators that h_add finds
// best: the number of operators of a plan without deletes.
type relaxedPlan struct {
	*relaxed
	cost  []int
	used  []bool // by operator
	seen  []bool // by literal
	stack []strips.LiteralID
}

func newRelaxedPlan(r *relaxed) *relaxedPlan {
	return &relaxedPlan{relaxed: r, cost: r.unit(), used: make([]bool, len(r.pre)),
		seen: make([]bool, len(r.value))}
}

// estimate returns the length of the relaxed plan, and the actions of it that apply in s by their
// preconditions: they are preferred. It is -1 where there is no plan even without deletes.
func (h *relaxedPlan) estimate(s strips.State) (steps int, preferred []strips.ActionID) {
	h.costs(s, h.cost, true)
	if h.value[h.goal()] == unreachable {
		return -1, nil
	}
	clear(h.used)
	clear(h.seen)
	h.stack = append(h.stack[:0], h.goal())
	for len(h.stack) > 0 {
		l := h.stack[len(h.stack)-1]
		h.stack = h.stack[:len(h.stack)-1]
		o := h.best[l]
		if h.seen[l] || o < 0 {
			continue
		}
		h.seen[l] = true
		h.stack = append(h.stack, h.pre[o]...)
		if h.used[o] || h.actions[o] == 0 {
			continue
		}
		h.used[o] = true
		steps++
		applies := true
		for _, p := range h.pre[o] {
			applies = applies && h.value[p] == 0
		}
		if applies {
			preferred = append(preferred, h.actions[o])
		}
	}
	return steps, preferred
}

// greedy expands the state with the shortest relaxed plan first, in turn from all states and from
// those that a preferred action leads to (Helmert 2006). It is complete: where no state is left,
// there is no plan.
func (s *search) greedy(ctx context.Context, start strips.State, h *relaxedPlan) Outcome {
	var queues [2]frontier
	preferred := map[strips.State][]strips.ActionID{}
	push := func(state strips.State, steps float64, which int) {
		heap.Push(&queues[which], entry{state, s.came[state].cost, steps})
	}
	steps, helpful := h.estimate(start)
	if steps < 0 {
		return Unsolvable
	}
	preferred[start] = helpful
	push(start, float64(steps), 0)
	for turn := 0; queues[0].Len()+queues[1].Len() > 0; turn = 1 - turn {
		if s.stop(ctx) {
			return LimitReached
		}
		if queues[turn].Len() == 0 {
			continue
		}
		at := heap.Pop(&queues[turn]).(entry).state
		helpful, open := preferred[at]
		if s.goal.holds(at) {
			s.end = at
			return Found
		}
		if !open {
			continue // expanded from the other queue
		}
		delete(preferred, at)
		s.expanded++
		s.planner.Successors(at, func(a strips.ActionID, next strips.State) bool {
			if _, seen := s.came[next]; seen {
				return true
			}
			s.came[next] = step{from: at, action: a, cost: s.came[at].cost + 1}
			steps, after := h.estimate(next)
			if steps < 0 {
				return true // a dead end
			}
			preferred[next] = after
			push(next, float64(steps), 0)
			for _, p := range helpful {
				if p == a {
					push(next, float64(steps), 1)
					break
				}
			}
			return true
		})
	}
	return Unsolvable
}

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
