package variants

import (
	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
)

// sat is a SAT problem.
type sat struct{ solver *gini.Gini }

func (p sat) clause(lits ...z.Lit) {
	for _, m := range lits {
		p.solver.Add(m)
	}
	p.solver.Add(z.LitNull)
}

// regionSAT asks for a region: its first variables say where that holds, one for
// each state or block.
type regionSAT struct{ sat }

func (p regionSAT) holds(s int) z.Lit { return z.Var(s + 1).Pos() }

// found is the region of the last answer.
func (p regionSAT) found(states int) bitset.Set {
	x := bitset.New(states)
	for s := range states {
		if p.solver.Value(p.holds(s)) {
			x.Set(s)
		}
	}
	return x
}

// slot has a variant's effects; it is inert if it has none of them.
type slot struct{ adds, deletes, toggles z.Lit }

// one says that a variant has one effect at most, of those it may have.
func (p regionSAT) one(v slot, any effects) {
	p.clause(v.adds.Not(), v.deletes.Not())
	p.clause(v.adds.Not(), v.toggles.Not())
	p.clause(v.deletes.Not(), v.toggles.Not())
	if any&toggles == 0 {
		p.clause(v.toggles.Not())
	}
}

// explains says that a variant's effect fits an edge.
func (p regionSAT) explains(v slot, e Edge) {
	from, to := p.holds(e.Source), p.holds(e.Target)
	for _, c := range [][]z.Lit{
		{v.adds.Not(), to},
		{v.deletes.Not(), to.Not()},
		{v.toggles.Not(), from, to},
		{v.toggles.Not(), from.Not(), to.Not()},
		{v.adds, v.deletes, v.toggles, from.Not(), to},
		{v.adds, v.deletes, v.toggles, from, to.Not()},
	} {
		p.clause(c...)
	}
}

// effects is a set of what a variant may do to a region.
type effects uint8

const (
	inert effects = 1 << iota
	adds
	deletes
	toggles
)

// allowed are the effects that variants may have.
func allowed(toggling bool) effects {
	if toggling {
		return inert | adds | deletes | toggles
	}
	return inert | adds | deletes
}

// fitting are the effects that fit one edge.
func fitting(x bitset.Set, e Edge) effects {
	from, to := x.Has(e.Source), x.Has(e.Target)
	switch {
	case from && to:
		return inert | adds
	case to:
		return adds | toggles
	case from:
		return deletes | toggles
	}
	return inert | deletes
}

// fitted is a region and the effects on it that fit all edges of each variant.
type fitted struct {
	x    bitset.Set
	does []effects
}

// fit works out the effects; the second result says whether each variant has one.
func (g *Graph) fit(x bitset.Set, of []int, variants int, any effects) (fitted, bool) {
	f := fitted{x, make([]effects, variants)}
	for v := range f.does {
		f.does[v] = any
	}
	for e, v := range of {
		if f.does[v] &= fitting(x, g.Edges[e]); f.does[v] == 0 {
			return f, false
		}
	}
	return f, true
}

// agreeing leaves in a set the states that agree with all of some sources in a
// region, if that is constant on them.
func agreeing(set, sources, x bitset.Set) {
	switch {
	case sources.Within(x):
		set.Keep(x)
	case !sources.Meets(x):
		set.Remove(x)
	}
}
