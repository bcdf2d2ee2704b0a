package operators

import (
	"context"
	"time"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// joint asks for k columns at once that together separate a growing set of atoms.
// The atoms of a clique need a column each, so the first gets the first column
// and so on, which breaks the symmetry between columns and between a column and
// its complement.
type joint struct {
	p      *Problem
	solver *gini.Gini
	copies []*oracle
}

func newJoint(p *Problem, k int, clique []int) *joint {
	j := &joint{p: p, solver: gini.New()}
	size := p.states + 4*len(p.actions)
	for range k * size {
		j.solver.Lit()
	}
	always := func(int) z.Lit { return z.LitNull }
	for i := range k {
		o := &oracle{p: p, solver: j.solver, base: i * size}
		o.constrain(always, always)
		if i < len(clique) {
			for _, lit := range o.apart(clique[i], +1) {
				o.clause(lit)
			}
		}
		j.copies = append(j.copies, o)
	}
	return j
}

// require asks for the atom to be separated by one of the columns.
func (j *joint) require(atom int) {
	var some []z.Lit
	for _, o := range j.copies {
		for _, sign := range []int{+1, -1} {
			by := j.solver.Lit()
			for _, lit := range o.apart(atom, sign) {
				o.clause(by.Not(), lit)
			}
			some = append(some, by)
		}
	}
	j.copies[0].clause(some...)
}

// closeGap raises a lower bound on the number of columns, and lowers the upper
// one where it can, by asking for k columns at once, for k from the size of a
// clique on: atoms that the columns found leave open are added until there are
// no such columns, or until they separate all atoms. It returns the bound and a
// cover of fewer columns than best, if it found one.
func (p *Problem) closeGap(ctx context.Context, clique []int, want bitset, best []*column) (int, []*column) {
	k := len(clique)
	asked := append([]int(nil), clique...)
	for k > 0 && k < len(best) {
		j := newJoint(p, k, clique)
		for _, atom := range asked {
			j.require(atom)
		}
		for {
			deadline, bounded := ctx.Deadline()
			if !bounded {
				deadline = time.Now().Add(defaultBudget)
			}
			answer := j.solver.Try(time.Until(deadline))
			if answer == 0 || ctx.Err() != nil {
				return k, nil
			}
			if answer == -1 {
				k++
				break
			}
			var columns []*column
			open := want.clone()
			for _, o := range j.copies {
				columns = append(columns, p.mustColumn(o.values()))
				open.remove(columns[len(columns)-1].cover)
			}
			if open.empty() {
				return k, columns
			}
			for _, atom := range spread(members(open), 10) {
				asked = append(asked, atom)
				j.require(atom)
			}
		}
	}
	return k, nil
}

// spread picks at most n of the items at even distances.
func spread(items []int, n int) []int {
	if len(items) <= n {
		return items
	}
	out := make([]int, n)
	for i := range out {
		out[i] = items[i*len(items)/n]
	}
	return out
}
