package columns

import "stripswm/models/operators/internal/bitset"

// separate decides every atom. A trusted missing pair (s, a) can be separated
// exactly if there is a column that holds in all sources of a and not in s (the
// opposite case is its complement), so the least sum of eta over every number of
// predicates is the number of atoms without one. It adds columns to the pool
// until together they separate all others. If the work ends first, undecided is
// not empty.
func separate(o *oracle, known []*column) (pool []*column, inseparable, undecided bitset.Set) {
	pool = known
	open := o.p.atoms.Clone()
	for _, c := range pool {
		open.Remove(c.cover)
	}
	inseparable = make(bitset.Set, len(open))
	for _, atom := range members(open) {
		if o.w.Over() {
			return pool, inseparable, open
		}
		if !open.Has(atom) {
			continue
		}
		way := o.apart(atom, +1)
		x, ok := o.solve(way[:]...)
		if !ok {
			inseparable.Set(atom)
			open.Clear(atom)
			continue
		}
		c := o.p.mustColumn(x)
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
