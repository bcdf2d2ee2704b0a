package regions

import "stripswm/models/internal/bitset"

// separate decides every separation constraint. A trusted missing pair (s, a) can be separated
// exactly if there is a region that holds in all sources of a and not in s (the
// opposite case is its complement), so the least sum of eta over every number of
// predicates is the number of separation constraints without one. It adds regions to the pool
// until together they separate all others. If the work ends first, undecided is
// not empty.
func separate(o *oracle, known []*region) (pool []*region, inseparable, undecided bitset.Set) {
	pool = known
	open := o.p.constraints.Clone()
	for _, c := range pool {
		open.Remove(c.cover)
	}
	inseparable = make(bitset.Set, len(open))
	for _, constraint := range members(open) {
		if o.w.Over() {
			return pool, inseparable, open
		}
		if !open.Has(constraint) {
			continue
		}
		assumption := o.distinct(constraint, +1)
		x, ok := o.solve(assumption[:]...)
		if !ok {
			inseparable.Set(constraint)
			open.Clear(constraint)
			continue
		}
		c := o.p.mustRegion(x)
		pool = append(pool, c)
		open.Remove(c.cover)
	}
	return pool, inseparable, open
}

// members lists a set, which may then change.
func members(b bitset.Set) []int {
	list := make([]int, 0, b.Count())
	for i := range b.Each {
		list = append(list, i)
	}
	return list
}
