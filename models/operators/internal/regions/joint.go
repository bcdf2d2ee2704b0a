package regions

import (
	"stripswm/internal/spread"
	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// joint asks for k regions at once that together separate a growing set of separation constraints.
// The separation constraints of a clique need a region each, so the first gets the first region
// and so on, which breaks the symmetry between regions and between a region and
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
			for _, lit := range o.distinct(clique[i], +1) {
				o.clause(lit)
			}
		}
	}
	return j
}

// require asks for the separation constraint to be separated by one of the regions.
func (j *joint) require(constraint int) {
	var some []z.Lit
	for _, o := range j.copies {
		for _, sign := range []int{+1, -1} {
			by := j.solver.Lit()
			for _, lit := range o.distinct(constraint, sign) {
				o.clause(by.Not(), lit)
			}
			some = append(some, by)
		}
	}
	j.copies[0].clause(some...)
}

// closeGap raises a lower bound on the number of regions, and lowers the upper
// one where it can, by asking for k regions at once, for k from the size of a
// clique on: separation constraints that the regions found leave open are added until there are
// no such regions, until they separate all separation constraints, or until the work ends. It
// returns the bound and a cover of fewer regions than best, if it found one.
func (p *Problem) closeGap(w *work.Work, clique []int, want bitset.Set,
	best []*region,
) (int, []*region) {
	k := len(clique)
	asked := append([]int(nil), clique...)
	for k > 0 && k < len(best) {
		j := newJoint(p, w, k, clique)
		for _, constraint := range asked {
			j.require(constraint)
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
			var regions []*region
			open := want.Clone()
			for _, o := range j.copies {
				regions = append(regions, p.mustRegion(o.values()))
				open.Remove(regions[len(regions)-1].cover)
			}
			if open.Empty() {
				return k, regions
			}
			for _, constraint := range spread.Evenly(members(open), 10) {
				asked = append(asked, constraint)
				j.require(constraint)
			}
		}
	}
	return k, nil
}
