package facts

import (
	"slices"

	"stripswm/models/internal/bitset"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Constraints hold in every state that a model reaches from the states of its recording: pairs of
// literals exclude each other, a derived predicate holds only if one of its members does, and some
// sums of facts never change. They allow more vectors than the model reaches, and no fewer.
type Constraints struct {
	predicates int
	excludes   []set       // by literal
	atLeast    [][]literal // one of them holds
	sums       []sum
}

// NewConstraints finds the constraints of a model. Pairs that exclude each other are those that a
// fixpoint over pairs of literals does not reach, which begins with what is known of the static
// intervals, less what may be misread.
func NewConstraints(r *traces.Result) *Constraints {
	var states []set
	for i := range r.Report.Intervals {
		states = append(states, known(r, i))
	}
	var actions []strips.Rule
	for i := range r.Model.Operators {
		actions = append(actions, r.Model.Operators[i].Rule())
	}
	return constraintsOf(r.Model, actions, evident(r, actions), states)
}

// constraintsOf finds the constraints of actions, and of those that may have applied, in states.
func constraintsOf(m *traces.Model, actions, evident []strips.Rule, states []set) *Constraints {
	n := 2 * len(m.Predicates)
	c := &Constraints{predicates: n / 2, excludes: make([]set, n)}
	together := seenTogether(states, n)
	together.Reach(evident)
	for l := range together {
		c.excludes[l] = bitset.Make[literal](n)
		for k := range literal(n) {
			if literal(l) != k && !together[l].Has(k) {
				c.excludes[l].Set(k)
			}
		}
	}
	for p, d := range m.Predicates {
		if d.Members == nil {
			continue
		}
		one := []literal{strips.Literal{Predicate: strips.Predicate(p), Negated: true}.ID()}
		for _, l := range d.Members {
			one = append(one, l.ID())
		}
		slices.Sort(one)
		c.atLeast = append(c.atLeast, one)
	}
	c.sums = findSums(m, actions, c.excludes, states)
	c.findOneOf(m, actions, states)
	return c
}

// misread is the share of the static intervals in which values may be wrong that are known from
// images. What fewer intervals show is not taken for possible if the model does not reach it: a
// single wrong value would allow tables on which a thing is missing, or stands twice.
const misread = 0.02

// seenTogether are the pairs of so many literals that hold together in states, if not so rarely
// that they may be misread.
func seenTogether(states []set, literals int) planner.Pairs {
	together, in := planner.NewPairs(literals/2), make([]bitset.Set, literals)
	for l := range in {
		in[l] = bitset.New(len(states))
	}
	for i, s := range states {
		for l := range s.Each {
			in[l].Set(i)
		}
	}
	for l := range in {
		n := in[l].Count()
		for k := range in[:l+1] {
			both := in[l].Common(in[k])
			if both > 0 && float64(both) > misread*float64(min(n, in[k].Count())) {
				together[l].Set(literal(k))
				together[k].Set(literal(l))
			}
		}
	}
	return together
}

// evident are the rules of operators without preconditions of too little evidence. These make plans
// safe, but what they forbid may be seen: two things that never met in a short recording.
func evident(r *traces.Result, actions []strips.Rule) []strips.Rule {
	needs := map[strips.ActionID][]literal{}
	for _, a := range r.Report.Actions {
		for _, p := range a.Preconditions {
			l := strips.Literal{Predicate: p.Predicate, Negated: p.Negated}
			needs[a.Action] = append(needs[a.Action], l.ID())
		}
	}
	rules := slices.Clone(actions)
	for i := range rules {
		own := needs[r.Model.Operators[i].Action]
		rules[i].Needs = slices.DeleteFunc(slices.Clone(rules[i].Needs), func(l literal) bool {
			return !slices.Contains(own, l)
		})
	}
	return rules
}

// findOneOf finds sets of facts of which one always holds although no sum says so, since actions
// set them whatever they were: an object that is moved is somewhere. What such an action makes
// true, and what it makes false, is such a set if one of it holds nearly wherever all are known,
// and each action that makes one of it false makes another one true.
func (c *Constraints) findOneOf(m *traces.Model, actions []strips.Rule, states []set) {
	inSums := make([]bool, len(m.Predicates))
	for p := range inSums {
		inSums[p] = changesAreKnown(strips.Predicate(p), actions, c.excludes)
	}
	for _, o := range m.Operators {
		for _, p := range o.Add {
			var one []literal
			sums := true
			for _, q := range append([]strips.Predicate{p}, o.Del...) {
				if m.Predicates[q].Members == nil {
					one = append(one, strips.Literal{Predicate: q}.ID())
					sums = sums && inSums[q]
				}
			}
			slices.Sort(one)
			known := func(other []literal) bool { return slices.Equal(one, other) }
			if !sums && !slices.ContainsFunc(c.atLeast, known) && oneStays(one, actions, states) {
				c.atLeast = append(c.atLeast, one)
			}
		}
	}
}

// oneStays says whether one of these literals holds in all states but a few, and after all actions.
func oneStays(one []literal, actions []strips.Rule, states []set) bool {
	some, none := 0, 0
	for _, s := range states {
		switch {
		case slices.ContainsFunc(one, s.Has):
			some++
		case !slices.ContainsFunc(one, func(l literal) bool { return !s.Has(l.Not()) }):
			none++
		}
	}
	for _, a := range actions {
		ends := slices.ContainsFunc(one, func(l literal) bool { return slices.Contains(a.Sets, l.Not()) })
		begins := slices.ContainsFunc(one, func(l literal) bool { return slices.Contains(a.Sets, l) })
		if ends && !begins {
			return false
		}
	}
	return some > 0 && float64(none) <= misread*float64(some)
}

// Holds says whether a vector of all predicates satisfies the constraints.
func (c *Constraints) Holds(values []bool) bool {
	s := c.literals(values)
	consistent := true
	for l := range s.Each {
		consistent = consistent && !c.excludes[l].Meets(s)
	}
	for _, one := range c.atLeast {
		consistent = consistent && slices.ContainsFunc(one, s.Has)
	}
	for _, sum := range c.sums {
		consistent = consistent && sum.holds(s)
	}
	return consistent
}

func (c *Constraints) literals(values []bool) set {
	s := bitset.Make[literal](2 * c.predicates)
	for p, v := range values {
		s.Set(strips.Literal{Predicate: strips.Predicate(p), Negated: !v}.ID())
	}
	return s
}
