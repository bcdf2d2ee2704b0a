package columns

import (
	"stripswm/models/operators/internal/bitset"
	"stripswm/models/operators/internal/work"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// joint asks for k columns at once that together separate a growing set of atoms.
// The atoms of a clique need a column each, so the first gets the first column
// and so on, which breaks the symmetry between columns and between a column and
// its complement.
type joint struct {
	solver *gini.Gini
	copies []*oracle
}

func newJoint(p *Problem, w *work.Work, k int, clique []int) *joint {
	j := &joint{solver: gini.New()}
	for i := range k {
		o := &oracle{p: p, w: w, solver: j.solver, base: i * p.variables()}
		o.declare()
		j.copies = append(j.copies, o)
	}
	for i, o := range j.copies {
		o.constrain(never, never)
		if i < len(clique) {
			for _, lit := range o.apart(clique[i], +1) {
				o.clause(lit)
			}
		}
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
// no such columns, until they separate all atoms, or until the work ends. It
// returns the bound and a cover of fewer columns than best, if it found one.
func (p *Problem) closeGap(w *work.Work, clique []int, want bitset.Set, best []*column) (int, []*column) {
	k := len(clique)
	asked := append([]int(nil), clique...)
	for k > 0 && k < len(best) {
		j := newJoint(p, w, k, clique)
		for _, atom := range asked {
			j.require(atom)
		}
		for {
			answer := w.Decide(j.solver)
			if answer == 0 {
				return k, nil
			}
			if answer == -1 {
				k++
				break
			}
			var columns []*column
			open := want.Clone()
			for _, o := range j.copies {
				columns = append(columns, p.mustColumn(o.values()))
				open.Remove(columns[len(columns)-1].cover)
			}
			if open.Empty() {
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
