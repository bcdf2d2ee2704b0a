package facts

import (
	"slices"

	"stripswm/models/internal/bitset"
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
// fixpoint over pairs of literals does not reach (h2: Haslum and Geffner 2000). It begins with what
// is known of the static intervals.
func NewConstraints(r *traces.Result) *Constraints {
	n := 2 * len(r.Model.Predicates)
	c := &Constraints{predicates: n / 2, excludes: make([]set, n)}
	together := make([]set, n)
	for l := range together {
		together[l] = bitset.Make[literal](n)
	}
	var states []set
	for i := range r.Report.Intervals {
		s := known(r, i)
		for l := range s.Each {
			together[l].Add(s)
		}
		states = append(states, s)
	}
	actions := effectsOf(r.Model)
	for grew := true; grew; {
		grew = false
		for _, a := range actions {
			grew = a.spread(together) || grew
		}
	}
	for l := range together {
		c.excludes[l] = bitset.Make[literal](n)
		for k := range literal(n) {
			if literal(l) != k && !together[l].Has(k) {
				c.excludes[l].Set(k)
			}
		}
	}
	for p, d := range r.Model.Predicates {
		if d.Members == nil {
			continue
		}
		one := []literal{literalOf(strips.Predicate(p), true)}
		for _, l := range d.Members {
			one = append(one, literalOf(l.Predicate, l.Negated))
		}
		slices.Sort(one)
		c.atLeast = append(c.atLeast, one)
	}
	c.sums = findSums(r.Model, actions, c.excludes, states)
	return c
}

// effects are an operator's literals.
type effects struct{ needs, sets []literal }

func effectsOf(m *traces.Model) []effects {
	all := make([]effects, 0, len(m.Operators))
	for _, o := range m.Operators {
		var e effects
		for _, part := range []struct {
			to      *[]literal
			of      []strips.Predicate
			negated bool
		}{{&e.needs, o.PrePos, false}, {&e.needs, o.PreNeg, true}, {&e.sets, o.Add, false},
			{&e.sets, o.Del, true}} {
			for _, p := range part.of {
				*part.to = append(*part.to, literalOf(p, part.negated))
			}
		}
		all = append(all, e)
	}
	return all
}

// spread adds the pairs of literals that the operator leads to, and says whether there are more.
func (e effects) spread(together []set) (grew bool) {
	n := len(together)
	beside := bitset.Make[literal](n) // what may hold together with all preconditions
	for l := range literal(n) {
		if together[l].Has(l) {
			beside.Set(l)
		}
	}
	for _, p := range e.needs {
		if !beside.Has(p) {
			return false
		}
		beside.Keep(together[p])
	}
	for _, l := range e.sets {
		beside.Clear(l.not())
	}
	for _, l := range e.sets {
		beside.Set(l)
	}
	for _, l := range e.sets {
		if !beside.Within(together[l]) {
			together[l].Add(beside)
			grew = true
		}
		for k := range beside.Each {
			if !together[k].Has(l) {
				together[k].Set(l)
				grew = true
			}
		}
	}
	return grew
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
		s.Set(literalOf(strips.Predicate(p), !v))
	}
	return s
}
