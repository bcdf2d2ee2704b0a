package planner

import (
	"stripswm/models/internal/bitset"
	"stripswm/models/strips"
)

// exclusive lists the pairs of literals of the goal that never hold together in a state reached
// from s, as far as pairs of literals prove it.
func exclusive(m *strips.Model, s strips.State, goal strips.Goal) (pairs [][2]strips.Literal) {
	start := bitset.Make[strips.LiteralID](2 * m.Predicates)
	for _, l := range strips.GoalOf(s) {
		start.Set(l.ID())
	}
	var rules []strips.Rule
	for i := range m.Operators {
		rules = append(rules, m.Operators[i].Rule())
	}
	together := NewPairs(m.Predicates)
	together.Start(start)
	together.Reach(rules)
	for i, a := range goal {
		for _, b := range goal[:i] {
			if !together[a.ID()].Has(b.ID()) {
				pairs = append(pairs, [2]strips.Literal{b, a})
			}
		}
	}
	return pairs
}

// Pairs has, by literal, those that may hold together with it in a state that operators reach, as
// far as pairs of literals prove it (h^2, Haslum and Geffner 2000). A literal that holds in no such
// state is without itself.
type Pairs []bitset.Of[strips.LiteralID]

// NewPairs has no pairs of so many predicates.
func NewPairs(predicates int) Pairs {
	p := make(Pairs, 2*predicates)
	for l := range p {
		p[l] = bitset.Make[strips.LiteralID](len(p))
	}
	return p
}

// Start adds the pairs of literals that hold in a state.
func (p Pairs) Start(state bitset.Of[strips.LiteralID]) {
	for l := range state.Each {
		p[l].Add(state)
	}
}

// Reach adds what operators lead to, until nothing follows. Time: passes x operators x effects x
// literals / 64.
func (p Pairs) Reach(rules []strips.Rule) {
	for grew := true; grew; {
		grew = false
		for _, e := range rules {
			grew = p.apply(e) || grew
		}
	}
}

// apply adds the pairs that an operator leads to, and says whether there are more.
func (p Pairs) apply(e strips.Rule) (grew bool) {
	beside := bitset.Make[strips.LiteralID](len(p)) // what may hold together with all preconditions
	for l := range strips.LiteralID(len(p)) {
		if p[l].Has(l) {
			beside.Set(l)
		}
	}
	for _, l := range e.Needs {
		if !beside.Has(l) {
			return false
		}
		beside.Keep(p[l])
	}
	for _, l := range e.Sets {
		beside.Clear(l.Not())
	}
	for _, l := range e.Sets {
		beside.Set(l)
	}
	for _, l := range e.Sets {
		toggled := beside.Has(l.Not())
		if beside.Clear(l.Not()); !beside.Within(p[l]) {
			p[l].Add(beside)
			grew = true
		}
		for k := range beside.Each {
			if !p[k].Has(l) {
				p[k].Set(l)
				grew = true
			}
		}
		if toggled {
			beside.Set(l.Not())
		}
	}
	return grew
}
