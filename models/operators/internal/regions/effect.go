package regions

import (
	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/strips"
)

// effect is what an action does to one predicate. This file is all that knows the
// cases distinct.
type effect int8

const (
	inert   effect = iota // x_s' = x_s
	adds                  // x_s' = 1
	deletes               // x_s' = 0
	toggles               // x_s' = not x_s
)

// plain lists the effects of STRIPS, everything those with toggles.
var (
	plain      = []effect{inert, adds, deletes}
	everything = []effect{inert, adds, deletes, toggles}
)

// moving lists the effects of a problem that change something. The oracle has a
// variable for each of these; an action that has none of them is inert.
func (p *Problem) moving() []effect { return p.effects[1:] }

// fits says whether a predicate may have the value from before the action and to
// after it.
func (e effect) fits(from, to bool) bool {
	switch e {
	case adds:
		return to
	case deletes:
		return !to
	case toggles:
		return from != to
	}
	return from == to
}

// clauses say the same of literals.
func (e effect) clauses(from, to z.Lit) [][]z.Lit {
	switch e {
	case adds:
		return [][]z.Lit{{to}}
	case deletes:
		return [][]z.Lit{{to.Not()}}
	case toggles:
		return [][]z.Lit{{from, to}, {from.Not(), to.Not()}}
	}
	return [][]z.Lit{{from.Not(), to}, {from, to.Not()}}
}

// fitsAll says whether an effect of action a fits all edges that are not paid.
func (p *Problem) fitsAll(e effect, a int, x bitset.Set) bool {
	switch e {
	case adds:
		return p.actions[a].targets.Within(x)
	case deletes:
		return !p.actions[a].targets.Meets(x)
	}
	for _, k := range p.actions[a].edges {
		if !e.fits(x.Has(int(k[0])), x.Has(int(k[1]))) {
			return false
		}
	}
	return true
}

// write puts the effect on predicate q into an operator.
func (e effect) write(op *strips.Operator, q strips.Predicate) {
	switch e {
	case adds:
		op.Add = append(op.Add, q)
	case deletes:
		op.Del = append(op.Del, q)
	case toggles:
		op.Toggle = append(op.Toggle, q)
	}
}
