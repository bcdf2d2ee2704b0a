package traces

import "slices"

// cliques enumerates maximal cliques (Bron and Kerbosch 1973, with the pivot of Tomita 2006).
type cliques struct {
	next  []set // by node: its neighbours
	work  *steps
	found [][]int
}

// expand finds the maximal cliques that contain the given one, some of the open nodes and none of
// those that are done.
func (c *cliques) expand(clique []int, open, done set) {
	if open.count() == 0 {
		if done.count() == 0 && len(clique) > 1 {
			c.found = append(c.found, slices.Clone(clique))
		}
		return
	}
	pivot, most := -1, -1
	for i, next := range c.next {
		if open.has(i) || done.has(i) {
			c.work.spend(len(open))
			if n := open.common(next); n > most {
				pivot, most = i, n
			}
		}
	}
	for i, next := range c.next {
		if !open.has(i) || c.next[pivot].has(i) {
			continue
		}
		if !c.work.spend(len(c.next)) {
			return
		}
		inside, outside := open.clone(), done.clone()
		inside.keep(next)
		outside.keep(next)
		c.expand(append(clique, i), inside, outside)
		open.remove(i)
		done.add(i)
	}
}
