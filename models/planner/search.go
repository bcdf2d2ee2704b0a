package planner

import (
	"container/heap"
	"context"

	"stripswm/models/strips"
)

// search is one query under way.
type search struct {
	planner  *Planner
	goal     strips.State
	came     map[strips.State]step
	expanded int
	limit    int
}

// step is how a state was reached: the start by action 0.
type step struct {
	from   strips.State
	action strips.ActionID
	depth  int
}

// stop says whether a limit is reached; the clock is read now and then.
func (s *search) stop(ctx context.Context) bool {
	if s.limit > 0 && len(s.came) > s.limit {
		return true
	}
	return s.expanded%64 == 0 && ctx.Err() != nil
}

func (s *search) breadthFirst(ctx context.Context, start strips.State) Outcome {
	if start == s.goal {
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
			s.came[next] = step{at, a, s.came[at].depth + 1}
			queue = append(queue, next)
			found = next == s.goal
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
	heap.Push(open, entry{start, 0, s.estimate(start)})
	for open.Len() > 0 {
		if s.stop(ctx) {
			return LimitReached
		}
		at := heap.Pop(open).(entry)
		if at.depth > s.came[at.state].depth {
			continue // a shorter way was found since
		}
		if at.state == s.goal {
			return Found
		}
		s.expanded++
		s.planner.Successors(at.state, func(a strips.ActionID, next strips.State) bool {
			depth := at.depth + 1
			if old, seen := s.came[next]; !seen || depth < old.depth {
				s.came[next] = step{at.state, a, depth}
				heap.Push(open, entry{next, depth, depth + s.estimate(next)})
			}
			return true
		})
	}
	return Unsolvable
}

// estimate is a lower bound on the steps from state to the goal.
func (s *search) estimate(state strips.State) int {
	wrong := state.Distance(s.goal)
	if wrong == 0 || s.planner.reach == 0 {
		return wrong
	}
	return (wrong + s.planner.reach - 1) / s.planner.reach
}

// path walks back from the goal.
func (s *search) path(start strips.State) ([]strips.ActionID, []strips.State) {
	n := s.came[s.goal].depth
	plan, states := make([]strips.ActionID, n), make([]strips.State, n+1)
	states[0] = start
	for at := s.goal; n > 0; n-- {
		st := s.came[at]
		plan[n-1], states[n] = st.action, at
		at = st.from
	}
	return plan, states
}

// entry is a state on the frontier; cost is its depth plus its estimate.
type entry struct {
	state       strips.State
	depth, cost int
}

// frontier is a heap: least cost first, the deeper of equals.
type frontier []entry

func (f frontier) Len() int      { return len(f) }
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f frontier) Less(i, j int) bool {
	if f[i].cost != f[j].cost {
		return f[i].cost < f[j].cost
	}
	return f[i].depth > f[j].depth
}
func (f *frontier) Push(x any) { *f = append(*f, x.(entry)) }
func (f *frontier) Pop() any {
	old := *f
	last := old[len(old)-1]
	*f = old[:len(old)-1]
	return last
}
