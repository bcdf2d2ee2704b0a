package bitset

// Cliques yields the maximal cliques of a graph, given by the neighbours of each node (Bron and
// Kerbosch 1973, with the pivot of Tomita 2006); nodes without neighbours are cliques, too. A
// clique is only valid until the next one. Spend is told of the words that are read, and ends the
// search by false, as yield does.
func Cliques[E ~int | ~int32](neighbours []Of[E], spend func(words int) bool) func(func([]E) bool) {
	return func(yield func([]E) bool) {
		n := len(neighbours)
		all := Make[E](n)
		for i := range n {
			all.Set(E(i))
		}
		c := cliques[E]{neighbours, spend, yield}
		c.expand(nil, all, Make[E](n))
	}
}

type cliques[E ~int | ~int32] struct {
	neighbours []Of[E]
	spend      func(int) bool
	yield      func([]E) bool
}

// expand yields the maximal cliques that contain the given one, some of the open nodes and none of
// those that are done. It is false where the search has to end.
func (c *cliques[E]) expand(clique []E, open, done Of[E]) bool {
	if open.Empty() {
		return !done.Empty() || c.yield(clique)
	}
	pivot, most := E(0), -1
	for i, next := range c.neighbours {
		if open.Has(E(i)) || done.Has(E(i)) {
			if !c.spend(len(open)) {
				return false
			}
			if n := open.Common(next); n > most {
				pivot, most = E(i), n
			}
		}
	}
	for i, next := range c.neighbours {
		if !open.Has(E(i)) || c.neighbours[pivot].Has(E(i)) {
			continue
		}
		if !c.spend(len(c.neighbours)) {
			return false
		}
		inside, outside := open.Clone(), done.Clone()
		inside.Keep(next)
		outside.Keep(next)
		if !c.expand(append(clique, E(i)), inside, outside) {
			return false
		}
		open.Clear(E(i))
		done.Set(E(i))
	}
	return true
}
