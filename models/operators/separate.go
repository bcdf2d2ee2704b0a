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
	for a := range o.p.actions {
		for _, atom := range members(o.p.of(open, a)) {
			if ctx.Err() != nil {
				return pool, inseparable, open
			}
			if !o.p.of(open, a).has(atom) {
				continue
			}
			x, ok := o.solve(o.required(a), o.holds(atom).Not())
			if !ok {
				o.p.of(inseparable, a).set(atom)
				o.p.of(open, a).clear(atom)
				continue
			}
			c, ok := o.p.columnOf(x)
			if !ok {
				panic("operators: the oracle returned a column that does not fit the graph")
			}
			pool = append(pool, c)
			open.remove(c.cover)
		}
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
