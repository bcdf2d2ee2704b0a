package planner

import (
	"math"

	"stripswm/models/strips"
)

// relaxed is the task without deletes (Bonet and Geffner 2001), over literals: predicate p is
// literal 2p, its negation 2p+1. Both may hold at once. Variants that disagree, exceptions and
// nondeterministic outcomes are left out, so that it allows all that the model allows.
type relaxed struct {
	predicates int
	actions    []strips.ActionID // by operator
	pre, add   [][]int32         // literals, by operator; the last operator is the goal
	needs      [][]int32         // operators, by literal: those that have it as a precondition
	adders     [][]int32         // operators, by literal
	value      []int             // by literal, see costs; unreachable where it cannot be reached
	open       []int             // by operator: preconditions left
	supporter  []int32           // by operator: the precondition reached last; by literal: see best
	best       []int32           // by literal: the operator that gives the value, -1 in the state
	buckets    [][]int32
}

const unreachable = math.MaxInt

// literal is the index of a literal.
func literal(p strips.Predicate, negated bool) int32 {
	if negated {
		return int32(2*p + 1)
	}
	return int32(2 * p)
}

// relax makes the task. Two literals are added: one that always holds, for operators without
// preconditions, and the goal.
func relax(m *strips.Model, goal strips.Goal) *relaxed {
	n := 2*m.Predicates + 2
	r := &relaxed{predicates: m.Predicates, needs: make([][]int32, n), adders: make([][]int32, n),
		value: make([]int, n), best: make([]int32, n)}
	for i := range m.Operators {
		o := &m.Operators[i]
		var pre, add []int32
		for _, p := range o.PrePos {
			pre = append(pre, literal(p, false))
		}
		for _, p := range o.PreNeg {
			pre = append(pre, literal(p, true))
		}
		for _, p := range o.Add {
			add = append(add, literal(p, false))
		}
		for _, p := range o.Del {
			add = append(add, literal(p, true))
		}
		for _, p := range o.Toggle {
			add = append(add, literal(p, false), literal(p, true))
		}
		r.operator(o.Action, pre, add)
	}
	var pre []int32
	for _, l := range goal {
		pre = append(pre, literal(l.Predicate, l.Negated))
	}
	r.operator(0, pre, []int32{r.goal()})
	r.open, r.supporter = make([]int, len(r.pre)), make([]int32, len(r.pre))
	return r
}

func (r *relaxed) always() int32 { return int32(2 * r.predicates) }
func (r *relaxed) goal() int32   { return int32(2*r.predicates + 1) }

func (r *relaxed) operator(a strips.ActionID, pre, add []int32) {
	o := int32(len(r.pre))
	if len(pre) == 0 {
		pre = []int32{r.always()}
	}
	for _, l := range pre {
		r.needs[l] = append(r.needs[l], o)
	}
	for _, l := range add {
		r.adders[l] = append(r.adders[l], o)
	}
	r.actions, r.pre, r.add = append(r.actions, a), append(r.pre, pre), append(r.add, add)
}

// holding calls yield with the literals that are true in s.
func (r *relaxed) holding(s strips.State, yield func(int32)) {
	for p := range strips.Predicate(r.predicates) {
		yield(literal(p, !s.Get(p)))
	}
	yield(r.always())
}

// costs computes the value of every literal from s: the least cost of an operator that adds it,
// which is its own cost and the maximum (h_max) or the sum (h_add) of those of its preconditions.
// Costs are small integers, so that a queue of buckets replaces a heap.
func (r *relaxed) costs(s strips.State, cost []int, sum bool) {
	for l := range r.value {
		r.value[l], r.best[l] = unreachable, -1
	}
	for o := range r.pre {
		r.open[o], r.supporter[o] = len(r.pre[o]), -1
	}
	for i := range r.buckets {
		r.buckets[i] = r.buckets[i][:0]
	}
	r.holding(s, func(l int32) { r.reach(l, 0, -1) })
	for v := 0; v < len(r.buckets); v++ {
		for i := 0; i < len(r.buckets[v]); i++ {
			l := r.buckets[v][i]
			if r.value[l] != v {
				continue // a cheaper operator was found since
			}
			r.value[l] = v
			for _, o := range r.needs[l] {
				if r.open[o]--; r.open[o] > 0 {
					continue
				}
				r.supporter[o] = l
				total := v
				if sum {
					total = 0
					for _, p := range r.pre[o] {
						total += r.value[p]
					}
				}
				for _, a := range r.add[o] {
					r.reach(a, total+cost[o], o)
				}
			}
		}
	}
}

// reach lowers the value of a literal.
func (r *relaxed) reach(l int32, value int, by int32) {
	if value >= r.value[l] {
		return
	}
	r.value[l], r.best[l] = value, by
	for value >= len(r.buckets) {
		r.buckets = append(r.buckets, nil)
	}
	r.buckets[value] = append(r.buckets[value], l)
}

// unit are costs of 1, and 0 for the goal.
func (r *relaxed) unit() []int {
	cost := make([]int, len(r.pre))
	for o := range len(cost) - 1 {
		cost[o] = 1
	}
	return cost
}
