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
	actions    []strips.ActionID    // by operator
	pre, add   [][]strips.LiteralID // by operator; the last operator is the goal
	needs      [][]int32            // operators, by literal: those that have it as a precondition
	adders     [][]int32            // operators, by literal
	value      []int                // by literal, see costs; unreachable where it cannot be reached
	open       []int                // by operator: preconditions left
	supporter  []strips.LiteralID   // by operator: the precondition reached last; by literal: see best
	best       []int32              // by literal: the operator that gives the value, -1 in the state
	buckets    [][]strips.LiteralID
}

const unreachable = math.MaxInt

// relax makes the task. Two literals are added: one that always holds, for operators without
// preconditions, and the goal.
func relax(m *strips.Model, goal strips.Goal) *relaxed {
	n := 2*m.Predicates + 2
	r := &relaxed{predicates: m.Predicates, needs: make([][]int32, n), adders: make([][]int32, n),
		value: make([]int, n), best: make([]int32, n)}
	for i := range m.Operators {
		o := &m.Operators[i]
		rule := o.Rule()
		r.operator(o.Action, rule.Needs, rule.Sets)
	}
	var pre []strips.LiteralID
	for _, l := range goal {
		pre = append(pre, l.ID())
	}
	r.operator(0, pre, []strips.LiteralID{r.goal()})
	r.open, r.supporter = make([]int, len(r.pre)), make([]strips.LiteralID, len(r.pre))
	return r
}

func (r *relaxed) always() strips.LiteralID { return strips.LiteralID(2 * r.predicates) }
func (r *relaxed) goal() strips.LiteralID   { return r.always() + 1 }

func (r *relaxed) operator(a strips.ActionID, pre, add []strips.LiteralID) {
	o := int32(len(r.pre))
	if len(pre) == 0 {
		pre = []strips.LiteralID{r.always()}
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
func (r *relaxed) holding(s strips.State, yield func(strips.LiteralID)) {
	for p := range strips.Predicate(r.predicates) {
		yield(strips.Literal{Predicate: p, Negated: !s.Get(p)}.ID())
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
	r.holding(s, func(l strips.LiteralID) { r.reach(l, 0, -1) })
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
func (r *relaxed) reach(l strips.LiteralID, value int, by int32) {
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
