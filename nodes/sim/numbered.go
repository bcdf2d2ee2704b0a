package sim

import "stripswm/models/strips"

// numbered is the part of a world that follows from its rules: the states are numbered as a
// breadth-first search from the initial one meets them, so that there are no others.
type numbered[T comparable] struct {
	states  []T
	index   map[T]State
	actions int
	rule    rule[T]
}

// rule returns what an action, from 1, makes of a state; ok is false where it is refused.
type rule[T comparable] func(from T, a strips.ActionID) (to T, ok bool)

func number[T comparable](first T, actions int, r rule[T]) numbered[T] {
	n := numbered[T]{[]T{first}, map[T]State{first: 0}, actions, r}
	for i := 0; i < len(n.states); i++ {
		for a := range actions {
			next, ok := r(n.states[i], strips.ActionID(a+1))
			if _, known := n.index[next]; ok && !known {
				n.index[next] = State(len(n.states))
				n.states = append(n.states, next)
			}
		}
	}
	return n
}

func (n *numbered[T]) NumStates() int  { return len(n.states) }
func (n *numbered[T]) NumActions() int { return n.actions }
func (n *numbered[T]) Initial() State  { return 0 }

func (n *numbered[T]) Apply(s State, a strips.ActionID) (State, bool) {
	if s < 0 || int(s) >= len(n.states) || a < 1 || int(a) > n.actions {
		return s, false
	}
	next, ok := n.rule(n.states[s], a)
	if !ok {
		return s, false
	}
	return n.index[next], true
}
