package planner

import (
	"container/heap"
	"context"
	"math"
	"slices"

	"stripswm/models/strips"
)

// search is one query under way.
type search struct {
	planner          *Planner
	goal             target
	end              strips.State // where the goal holds, once it is found
	came             map[strips.State]step
	expanded         int
	limit            int
	estimate         func(strips.State) float64 // a lower bound on the cost to the goal; nil for 0
	nondeterministic bool                       // count on outcomes that are nondeterministic too
	bound            float64                    // plans of this cost or more are of no use; 0 is none
}

// step is how a state was reached: the start by action 0.
type step struct {
	from   strips.State
	action strips.ActionID
	cost   float64 // expected attempts from the start
	odds   *odds   // of this step; nil if it is certain
}

func (p *Planner) newSearch(start strips.State, goal target, limits Limits) *search {
	return &search{planner: p, goal: goal, came: map[strips.State]step{start: {}},
		limit: limits.States}
}

// stop says whether a limit is reached; the clock is read now and then.
func (s *search) stop(ctx context.Context) bool {
	if s.limit > 0 && len(s.came) > s.limit {
		return true
	}
	return s.expanded%64 == 0 && ctx.Err() != nil
}

func (s *search) breadthFirst(ctx context.Context, start strips.State) Outcome {
	if s.goal.holds(start) {
		s.end = start
		return Found
	}
	queue := []strips.State{start}
	for len(queue) > 0 {
		if s.stop(ctx) {
			return LimitReached
		}
		at := queue[0]
		queue = queue[1:]
		s.expanded++
		found := false
		s.planner.Successors(at, func(a strips.ActionID, next strips.State) bool {
			if _, seen := s.came[next]; seen {
				return true
			}
			s.came[next] = step{from: at, action: a}
			queue = append(queue, next)
			if found = s.goal.holds(next); found {
				s.end = next
			}
			return !found
		})
		if found {
			return Found
		}
	}
	return Unsolvable
}

func (s *search) bestFirst(ctx context.Context, start strips.State) Outcome {
	open := &frontier{}
	s.push(open, start, 0)
	for open.Len() > 0 {
		if s.stop(ctx) {
			return LimitReached
		}
		at := heap.Pop(open).(entry)
		if at.cost > s.came[at.state].cost {
			continue // a cheaper way was found since
		}
		if s.goal.holds(at.state) {
			s.end = at.state
			return Found
		}
		s.expanded++
		reach := func(a strips.ActionID, next strips.State, o *odds) bool {
			cost := at.cost + o.attempts()
			if old, seen := s.came[next]; !seen || cost < old.cost {
				s.came[next] = step{at.state, a, cost, o}
				s.push(open, next, cost)
			}
			return true
		}
		s.planner.Successors(at.state, func(a strips.ActionID, next strips.State) bool {
			return reach(a, next, nil)
		})
		if s.nondeterministic {
			for _, g := range s.planner.nondeterministic[at.state] {
				reach(g.action, g.to, g.odds)
			}
		}
	}
	return Unsolvable
}

func (s *search) push(open *frontier, state strips.State, cost float64) {
	e := entry{state, cost, cost}
	if s.estimate != nil {
		e.bound += s.estimate(state)
	}
	if math.IsInf(e.bound, 1) || s.bound > 0 && e.bound >= s.bound {
		return
	}
	heap.Push(open, e)
}

// path walks back from where the goal holds.
func (s *search) path(
	start strips.State,
) (plan []strips.ActionID, states []strips.State, nondeterministic []UncertainStep) {
	n := 0
	for at := s.end; at != start; at = s.came[at].from {
		n++
	}
	plan, states = make([]strips.ActionID, n), make([]strips.State, n+1)
	states[0] = start
	for at := s.end; n > 0; n-- {
		st := s.came[at]
		plan[n-1], states[n] = st.action, at
		if o := st.odds; o != nil {
			nondeterministic = append(nondeterministic, UncertainStep{n - 1, o.wanted, o.seen})
		}
		at = st.from
	}
	slices.Reverse(nondeterministic)
	return plan, states, nondeterministic
}

// entry is a state on the frontier; bound is its cost plus its estimate.
type entry struct {
	state       strips.State
	cost, bound float64
}

// frontier is a heap: least bound first, the costlier of equals.
type frontier []entry

func (f frontier) Len() int      { return len(f) }
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f frontier) Less(i, j int) bool {
	if f[i].bound != f[j].bound {
		return f[i].bound < f[j].bound
	}
	return f[i].cost > f[j].cost
}
func (f *frontier) Push(x any) { *f = append(*f, x.(entry)) }
func (f *frontier) Pop() any {
	old := *f
	last := old[len(old)-1]
	*f = old[:len(old)-1]
	return last
}

// target is a goal that is fast to compare with: the predicates that matter, and their values.
type target struct {
	whole  bool         // all predicates matter
	values strips.State // if whole
	goal   strips.Goal
}

func newTarget(m int, goal strips.Goal) target {
	values, named := make([]bool, m), make([]bool, m)
	count := 0
	for _, l := range goal {
		values[l.Predicate] = !l.Negated
		if !named[l.Predicate] {
			named[l.Predicate] = true
			count++
		}
	}
	return target{count == m, strips.StateOf(values), goal}
}

func (t *target) holds(s strips.State) bool {
	if t.whole {
		return s == t.values
	}
	return t.goal.Holds(s)
}
