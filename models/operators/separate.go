package operators

import "context"

// separate decides every atom. A trusted missing pair (s, a) can be separated
// exactly if there is a column that holds in all sources of a and not in s (the
// opposite case is its complement), so the least sum of eta over every number of
// predicates is the number of atoms without one. It returns columns that
// together separate all others. If the context ends first, undecided is not
// empty.
func separate(ctx context.Context, o *oracle) (pool []*column, inseparable, undecided bitset) {
	open := o.p.atoms.clone()
	inseparable = make(bitset, len(open))
	for _, atom := range members(open) {
		if ctx.Err() != nil {
			return pool, inseparable, open
		}
		if !open.has(atom) {
			continue
		}
		way := o.apart(atom, +1)
		x, ok := o.solve(way[:]...)
		if !ok {
			inseparable.set(atom)
			open.clear(atom)
			continue
		}
		c := o.p.mustColumn(x)
		pool = append(pool, c)
		open.remove(c.cover)
	}
	return pool, inseparable, open
}

// members lists a set, which may then change.
func members(b bitset) []int {
	list := make([]int, 0, b.count())
	for i := range b.each {
		list = append(list, i)
	}
	return list
}
