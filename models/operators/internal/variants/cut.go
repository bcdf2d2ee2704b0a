package variants

import "stripswm/models/internal/bitset"

// cut takes variants distinct until the preconditions of each exclude the states that
// they have to, of the blocks of a partition that the regions distinguish. Every
// cut is by a region: the edges that begin where it holds, and the others. The
// region is the one that leaves fewest states open.
func (n *encoder) cut(c *coding, of partition) stage {
	out := stage{c: c}
	open, _ := c.open(of)
	n.w.Spend(int64(len(c.variants) * len(c.regions)))
	var cut func(edges []int, open bitset.Set)
	cut = func(edges []int, open bitset.Set) {
		by, halves := n.halve(c, c.g.sources(edges), open)
		if by < 0 {
			out.pieces = append(out.pieces, edges)
			return
		}
		var with, without []int
		for _, e := range edges {
			if c.regions[by].Has(c.g.Edges[e].Source) {
				with = append(with, e)
			} else {
				without = append(without, e)
			}
		}
		cut(with, halves[0])
		cut(without, halves[1])
	}
	for v, edges := range c.variants {
		cut(edges, open[v])
	}
	return out
}

// halve looks for the region to cut a variant by, and says what stays open for each
// half; it is -1 if nothing is open.
func (n *encoder) halve(c *coding, sources, open bitset.Set) (by int, halves [2]bitset.Set) {
	by = -1
	if open.Empty() {
		return by, halves
	}
	fewest := 0
	for _, i := range n.rng.Perm(len(c.regions)) {
		x := c.regions[i]
		if !sources.Meets(x) || sources.Within(x) {
			continue
		}
		with, without := sources.Clone(), sources.Clone()
		without.Remove(x)
		with.Keep(x)
		left := [2]bitset.Set{open.Clone(), open.Clone()}
		c.exclude(left[0], with)
		c.exclude(left[1], without)
		n.w.Spend(int64(len(c.regions) * len(open) / 4))
		if most := left[0].Count() + left[1].Count(); by < 0 || most < fewest {
			by, fewest, halves = i, most, left
		}
	}
	return by, halves
}
