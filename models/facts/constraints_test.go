package facts

import (
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/models/internal/bitset"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// moved is the model of some things that skills move to places, wherever they are, and so many
// states of it. Fact places*o + p is that thing o is at place p.
func moved(things, places, states int) (*traces.Model, []strips.Rule, []set) {
	m := &traces.Model{Predicates: make([]traces.Predicate, things*places)}
	rng := rand.New(rand.NewPCG(1, 2))
	var rules []strips.Rule
	for o := range things {
		for p := range places {
			op := strips.Operator{Action: strips.ActionID(places*o + p + 1)}
			for q := range places {
				if at := strips.Predicate(places*o + q); p == q {
					op.Add = append(op.Add, at)
				} else {
					op.Del = append(op.Del, at)
				}
			}
			for other := range things {
				op.PreNeg = append(op.PreNeg, strips.Predicate(places*other+p))
			}
			m.Operators = append(m.Operators, op)
			rules = append(rules, op.Rule())
		}
	}
	var all []set
	for range states {
		s := bitset.Make[literal](2 * things * places)
		for o, at := range rng.Perm(places)[:things] {
			for p := range places {
				s.Set(strips.Literal{Predicate: strips.Predicate(places*o + p), Negated: p != at}.ID())
			}
		}
		all = append(all, s)
	}
	return m, rules, all
}

// flip changes a fact of a state.
func flip(s set, p int) {
	l := strips.Literal{Predicate: strips.Predicate(p), Negated: true}.ID()
	if !s.Has(l) {
		l = l.Not()
	}
	s.Clear(l)
	s.Set(l.Not())
}

// A few misread images do not make it possible that a thing is nowhere, or at two places. A thing
// that is often nowhere may be.
func TestConstraintsOfMisreadStates(t *testing.T) {
	const things, places, states = 3, 5, 1000
	facts := things * places
	for _, c := range []struct {
		name           string
		misread, taken int // states in which any fact is misread, and those without thing 0
	}{
		{"none is misread", 0, 0},
		{"one in a hundred is misread", states / 100, 0},
		{"a thing is often taken away", 0, states / 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, rules, all := moved(things, places, states)
			for k, s := range all[:c.misread] {
				flip(s, k%facts)
			}
			for _, s := range all[c.misread : c.misread+c.taken] {
				flip(s, slices.Index(vector(s, facts), true))
			}
			got := constraintsOf(m, rules, rules, all)
			for k, s := range all[c.misread:] {
				if !got.Holds(vector(s, facts)) {
					t.Fatalf("state %d: %v is not allowed", k, vector(s, facts))
				}
			}
			for p := range facts {
				s := slices.Clone(all[states-1])
				taken := p < places && s.Has(strips.Literal{Predicate: strips.Predicate(p)}.ID())
				flip(s, p)
				if allowed := got.Holds(vector(s, facts)); allowed != (taken && c.taken > 0) {
					t.Errorf("fact %d changed: allowed is %v", p, allowed)
				}
			}
		})
	}
}

func vector(s set, predicates int) []bool {
	values := make([]bool, predicates)
	for p := range values {
		values[p] = s.Has(strips.Literal{Predicate: strips.Predicate(p)}.ID())
	}
	return values
}
