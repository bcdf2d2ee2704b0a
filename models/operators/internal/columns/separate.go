package columns

// separate decides every atom. A trusted missing pair (s, a) can be separated
// exactly if there is a column that holds in all sources of a and not in s (the
// opposite case is its complement), so the least sum of eta over every number of
// predicates is the number of atoms without one. It adds columns to the pool
// until together they separate all others. If the work ends first, undecided is
// not empty.
func separate(o *oracle, known []*column) (pool []*column, inseparable, undecided bitset) {
	pool = known
	open := o.p.atoms.clone()
	for _, c := range pool {
		open.remove(c.cover)
	}
	inseparable = make(bitset, len(open))
	for _, atom := range members(open) {
		if o.w.over() {
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
