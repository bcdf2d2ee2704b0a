package facts

import (
	"slices"

	"stripswm/models/internal/bitset"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Constraints hold in every state that a model reaches from the states of its recording: pairs of
// literals exclude each other, and of some sets at least one literal holds. They allow more vectors
// than the model reaches, and no fewer.
type Constraints struct {
	predicates int
	excludes   []set       // by literal
	atLeast    [][]literal // one of them holds
}

// NewConstraints finds the constraints of a model. Pairs that exclude each other are those that a
// fixpoint over pairs of literals does not reach (h2: Haslum and Geffner 2000). It begins with what
// is known of the static intervals. Sets of which one literal holds are cliques of such pairs: one
// held in every interval, and each action that ends one begins another.
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
	c.findSets(r.Model, actions, states)
	return c
}

// maxCliques bounds the search: sets that are not found leave decoding with fewer constraints.
const maxCliques = 20_000

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

// findSets finds the sets of which one literal holds. A derived predicate holds only if one of its
// members does.
func (c *Constraints) findSets(m *traces.Model, actions []effects, states []set) {
	for p, d := range m.Predicates {
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
	found := 0
	for clique := range bitset.Cliques(c.excludes, func(int) bool { return found < maxCliques }) {
		found++
		clique = slices.Sorted(slices.Values(clique))
		if len(clique) > 1 && c.lasts(clique, actions, states) &&
			!slices.ContainsFunc(c.atLeast, func(had []literal) bool {
				return slices.Equal(had, clique)
			}) {
			c.atLeast = append(c.atLeast, clique)
		}
	}
}

// lasts says whether one literal of the clique held in every interval in which all are known, and
// whether each action that ends one begins another.
func (c *Constraints) lasts(clique []literal, actions []effects, states []set) bool {
	in, out, seen := bitset.Make[literal](2*c.predicates), bitset.Make[literal](2*c.predicates), false
	for _, l := range clique {
		in.Set(l)
		out.Set(l.not())
	}
	for _, s := range states {
		if s.Meets(in) {
			seen = true
			continue
		}
		fails := s.Clone()
		fails.Keep(out)
		if fails.Count() == len(clique) {
			return false
		}
	}
	for _, a := range actions {
		ends := slices.ContainsFunc(a.sets, out.Has)
		if ends && !slices.ContainsFunc(a.sets, in.Has) {
			return false
		}
	}
	return seen
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
	return consistent
}

func (c *Constraints) literals(values []bool) set {
	s := bitset.Make[literal](2 * c.predicates)
	for p, v := range values {
		s.Set(literalOf(strips.Predicate(p), !v))
	}
	return s
}

// Sets is the number of sets of which one literal holds.
func (c *Constraints) Sets() int { return len(c.atLeast) }
