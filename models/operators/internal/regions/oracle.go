package regions

import (
	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// oracle answers whether there is a region with given values: one incremental
// SAT problem of |S| + 4|A| variables and about 4|E| + 2|sources| clauses. Its
// answers cost work.
type oracle struct {
	p      *Problem
	w      *work.Work
	solver *gini.Gini
	base   int // variables before its own
	held   int // scopes of held values
}

func newOracle(p *Problem, w *work.Work) *oracle {
	o := &oracle{p: p, w: w, solver: gini.NewVc(p.variables(), 4*len(p.graph.Edges))}
	o.declare()
	o.constrain(never, never)
	return o
}

// actionVars are the variables of an action: a moving effect each, required and
// excluded.
func (p *Problem) actionVars() int { return len(p.moving()) + 2 }

// variables is how many an oracle needs.
func (p *Problem) variables() int { return p.states + p.actionVars()*len(p.actions) }

// size is about the steps that it takes to look at all of a region.
func (p *Problem) size() int64 {
	return int64(p.variables() + len(p.graph.Edges) + len(p.constraints))
}

// declare makes the variables, so that also one without a clause has a value.
func (o *oracle) declare() {
	for range o.p.variables() {
		o.solver.Lit()
	}
}

// never is no exception to a constraint.
func never(int) z.Lit { return z.LitNull }

// constrain adds the clauses. What an edge says of the effects holds unless
// effect(edge), what it says of the sources unless source(edge), if not null.
func (o *oracle) constrain(effect, source func(edge int) z.Lit) {
	for a := range o.p.actions {
		act := &o.p.actions[a]
		var some []z.Lit // of the moving effects
		for _, e := range o.p.moving() {
			for _, other := range some {
				o.clause(other.Not(), o.does(a, e).Not())
			}
			some = append(some, o.does(a, e))
		}
		for k, edge := range act.edges {
			from, to := o.holds(int(edge[0])), o.holds(int(edge[1]))
			unless := effect(act.index[k])
			for i, e := range o.p.moving() {
				for _, clause := range e.clauses(from, to) {
					o.clause(append(append([]z.Lit{some[i].Not()}, clause...), unless)...)
				}
			}
			if from == to {
				continue
			}
			for _, clause := range inert.clauses(from, to) {
				o.clause(append(append(some[:len(some):len(some)], clause...), unless)...)
			}
		}
		for _, k := range append(act.index[:len(act.index):len(act.index)], act.paid...) {
			s, unless := o.holds(int(o.p.graph.Edges[k].Source)), source(k)
			o.clause(o.required(a).Not(), s, unless)
			o.clause(o.excluded(a).Not(), s.Not(), unless)
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

func (o *oracle) ofAction(a, k int) z.Lit {
	return z.Var(o.base + o.p.states + o.p.actionVars()*a + k + 1).Pos()
}

// does: action a has a moving effect on the predicate.
func (o *oracle) does(a int, e effect) z.Lit { return o.ofAction(a, int(e-adds)) }

// still: action a has none.
func (o *oracle) still(a int) []z.Lit {
	out := make([]z.Lit, len(o.p.moving()))
	for i, e := range o.p.moving() {
		out[i] = o.does(a, e).Not()
	}
	return out
}

// required implies that the predicate holds in all sources of a, excluded that
// it holds in none.
func (o *oracle) required(a int) z.Lit { return o.ofAction(a, len(o.p.moving())) }
func (o *oracle) excluded(a int) z.Lit { return o.ofAction(a, len(o.p.moving())+1) }

// solve asks for a region with the given values and returns its states.
func (o *oracle) solve(values ...z.Lit) (bitset.Set, bool) {
	o.solver.Assume(values...)
	if !o.ask() {
		return nil, false
	}
	o.w.Spend(o.p.size() / 4)
	return o.values(), true
}

// values are the states of the region that was found last.
func (o *oracle) values() bitset.Set {
	x := bitset.New(o.p.states)
	for s := range o.p.states {
		if o.solver.Value(o.holds(s)) {
			x.Set(s)
		}
	}
	return x
}

// value: the predicate has the given value in s.
func (o *oracle) value(s int, v bool) z.Lit {
	if v {
		return o.holds(s)
	}
	return o.holds(s).Not()
}

// separating says how a region can separate a constraint: for (s, a), the predicate holds
// in all sources of a and not in s, or the other way round (sign -1); for two
// states, it holds in the first only or in the second only.
func (o *oracle) separating(constraint, sign int) [2]z.Lit {
	a, s := o.p.pair(constraint)
	switch {
	case a < len(o.p.actions) && sign > 0:
		return [2]z.Lit{o.required(a), o.holds(s).Not()}
	case a < len(o.p.actions):
		return [2]z.Lit{o.excluded(a), o.holds(s)}
	}
	pair := o.p.unpair(constraint)
	return [2]z.Lit{o.value(pair[0], sign > 0), o.value(pair[1], sign < 0)}
}

// ask solves under the assumptions made.
func (o *oracle) ask() bool {
	before := work.Propagations(o.solver)
	defer func() { o.w.Spend(1 + work.Propagations(o.solver) - before) }()
	return o.solver.Solve() == 1
}

// hold keeps values for all questions until release. They must be possible
// together with those held before.
func (o *oracle) hold(values ...z.Lit) {
	if len(values) == 0 {
		return
	}
	o.solver.Assume(values...)
	before := work.Propagations(o.solver)
	o.solver.Test(nil)
	o.w.Spend(work.Propagations(o.solver) - before)
	o.held++
}

// release forgets all that is held.
func (o *oracle) release() {
	for ; o.held > 0; o.held-- {
		o.solver.Untest()
	}
}
