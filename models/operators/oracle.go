package operators

import (
	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// oracle answers whether there is a column with given values: one incremental
// SAT problem of |S| + 4|A| variables and about 4|E| + 2|sources| clauses.
//
// For an edge (s, a, s'): adding a makes x_s' true, deleting a makes it false,
// and an action that does neither keeps it.
type oracle struct {
	p      *Problem
	solver *gini.Gini
	base   int // variables before its own
	calls  int
	held   int // scopes of held values
}

func newOracle(p *Problem) *oracle {
	o := &oracle{p: p, solver: gini.NewVc(p.states+4*len(p.actions), 4*len(p.graph.Edges))}
	for range p.states + 4*len(p.actions) {
		o.solver.Lit() // so that also a variable without a clause has a value
	}
	always := func(int) z.Lit { return z.LitNull }
	o.constrain(always, always)
	return o
}

// constrain adds the clauses. What an edge says of the effects holds unless
// effect(edge), what it says of the sources unless source(edge), if not null.
func (o *oracle) constrain(effect, source func(edge int) z.Lit) {
	for a := range o.p.actions {
		act := &o.p.actions[a]
		add, del := o.adds(a), o.deletes(a)
		o.clause(add.Not(), del.Not())
		for k, e := range act.edges {
			s, t := o.holds(int(e[0])), o.holds(int(e[1]))
			unless := effect(act.index[k])
			o.clause(add.Not(), t, unless)
			o.clause(del.Not(), t.Not(), unless)
			if e[0] != e[1] {
				o.clause(add, del, s.Not(), t, unless)
				o.clause(add, del, s, t.Not(), unless)
			}
		}
		for _, k := range append(act.index[:len(act.index):len(act.index)], act.paid...) {
			s, unless := o.holds(int(o.p.graph.Edges[k].Source)), source(k)
			o.clause(o.required(a).Not(), s, unless)
			o.clause(o.forbidden(a).Not(), s.Not(), unless)
		}
	}
}

func (o *oracle) clause(lits ...z.Lit) {
	for _, m := range lits {
		if m != z.LitNull {
			o.solver.Add(m)
		}
	}
	o.solver.Add(z.LitNull)
}

// holds: the predicate holds in s.
func (o *oracle) holds(s int) z.Lit { return z.Var(o.base + s + 1).Pos() }

// adds, deletes: action a adds or deletes the predicate.
func (o *oracle) adds(a int) z.Lit    { return z.Var(o.base + o.p.states + 4*a + 1).Pos() }
func (o *oracle) deletes(a int) z.Lit { return z.Var(o.base + o.p.states + 4*a + 2).Pos() }

// required implies that the predicate holds in all sources of a, forbidden that
// it holds in none.
func (o *oracle) required(a int) z.Lit  { return z.Var(o.base + o.p.states + 4*a + 3).Pos() }
func (o *oracle) forbidden(a int) z.Lit { return z.Var(o.base + o.p.states + 4*a + 4).Pos() }

// solve asks for a column with the given values and returns its states.
func (o *oracle) solve(values ...z.Lit) (bitset, bool) {
	if !o.possible(values...) {
		return nil, false
	}
	return o.values(), true
}

// values are the states of the column that was found last.
func (o *oracle) values() bitset {
	x := newBitset(o.p.states)
	for s := range o.p.states {
		if o.solver.Value(o.holds(s)) {
			x.set(s)
		}
	}
	return x
}

// side implies that the predicate holds in all sources of a (+1) or in none (-1).
func (o *oracle) side(a, sign int) z.Lit {
	if sign > 0 {
		return o.required(a)
	}
	return o.forbidden(a)
}

// value: the predicate has the given value in s.
func (o *oracle) value(s int, v bool) z.Lit {
	if v {
		return o.holds(s)
	}
	return o.holds(s).Not()
}

// apart says how a column can separate an atom: for (s, a), the predicate holds
// in all sources of a and not in s, or the other way round (sign -1); for two
// states, it holds in the first only or in the second only.
func (o *oracle) apart(atom, sign int) [2]z.Lit {
	a, s := o.p.pair(atom)
	if a < len(o.p.actions) {
		return [2]z.Lit{o.side(a, sign), o.value(s, sign < 0)}
	}
	pair := o.p.unpair(atom)
	return [2]z.Lit{o.value(pair[0], sign > 0), o.value(pair[1], sign < 0)}
}

// possible says whether a column with the given values exists.
func (o *oracle) possible(values ...z.Lit) bool {
	o.calls++
	o.solver.Assume(values...)
	return o.solver.Solve() == 1
}

// hold keeps values for all questions until release. They must be possible
// together with those held before.
func (o *oracle) hold(values ...z.Lit) {
	if len(values) == 0 {
		return
	}
	o.solver.Assume(values...)
	o.solver.Test(nil)
	o.held++
}

// release forgets all that is held.
func (o *oracle) release() {
	for ; o.held > 0; o.held-- {
		o.solver.Untest()
	}
}
