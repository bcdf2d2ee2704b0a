package variants

import (
	"github.com/go-air/gini"
	"github.com/go-air/gini/logic"
	"github.com/go-air/gini/z"

	"stripswm/models/operators/internal/work"
)

// quota proposes how many variants each action may have, of those that were not
// found to be too few. Limits are numbers by action, -1 for none.
type quota struct {
	sat
	w     *work.Work
	more  [][]z.Lit // by action and k >= 1: it has more than k variants
	total *logic.CardSort
	least int // sum of the numbers if none was ruled out
}

// newQuota is for actions with so many edges each.
func newQuota(w *work.Work, edges [][]int) *quota {
	q := &quota{sat: sat{gini.New()}, w: w}
	c := logic.NewC()
	var all []z.Lit
	for _, list := range edges {
		more := make([]z.Lit, len(list))
		for k := range more {
			if k > 0 {
				more[k] = c.Lit()
				all = append(all, more[k])
			}
		}
		q.least += min(len(list), 1)
		q.more = append(q.more, more)
	}
	q.total = c.CardSort(all)
	c.ToCnf(q.solver)
	for _, more := range q.more {
		for k := 2; k < len(more); k++ {
			q.clause(more[k].Not(), more[k-1])
		}
	}
	return q
}

// propose returns limits with that sum: 1 if there are some, -1 if there are none with
// that or a smaller one, 0 if there was not enough work to tell.
func (q *quota) propose(sum int) (limits []int, answer int) {
	q.solver.Assume(q.total.Leq(sum - q.least))
	if answer = q.w.Decide(q.solver); answer != 1 {
		return nil, answer
	}
	for _, more := range q.more {
		k := min(1, len(more))
		for k < len(more) && q.solver.Value(more[k]) {
			k++
		}
		limits = append(limits, k)
		sum -= k
	}
	for a, more := range q.more { // wider limits say more if they are too few, too
		wider := min(sum, len(more)-limits[a])
		limits[a] += wider
		sum -= wider
	}
	return limits, 1
}

// exclude says that the actions cannot all keep to these limits.
func (q *quota) exclude(limits []int) {
	var lits []z.Lit
	for a, k := range limits {
		if k >= 0 && k < len(q.more[a]) {
			lits = append(lits, q.more[a][k])
		}
	}
	q.clause(lits...)
}
