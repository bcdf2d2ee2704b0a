package variants

// trim adds regions, constant on the blocks of a partition, that save pieces, and
// takes out those that are not needed to tell another's distinct.
func (n *encoder) trim(c *coding, on, of partition) stage {
	s := n.cut(c, of)
	for idle := 0; idle < 20 && !n.w.Over(); idle++ {
		open, total := s.c.open(of)
		if total == 0 {
			break
		}
		v := n.some(open)
		q := newQuotient(s.c, on)
		if q.want(n.against(s.c, v, n.member(open[v]), on)); q.pairs == 0 {
			continue
		}
		t, steps := q.anneal(n.rng)
		n.w.Spend(steps)
		if t.told == 0 {
			continue
		}
		d := s.c.clone()
		d.add(t.states())
		if next := n.cut(d, of); len(next.pieces) < len(s.pieces) {
			s, idle = next, -1
		}
	}
	for _, i := range n.rng.Perm(len(s.c.regions)) {
		if i >= len(s.c.regions) || n.w.Over() {
			continue
		}
		d := s.c.without(i)
		n.w.Spend(int64(len(d.of) * len(d.regions)))
		if d.codes.blocks < of.blocks {
			continue
		}
		if next := n.cut(d, of); len(next.pieces) <= len(s.pieces) {
			s = next
		}
	}
	return s
}

// against pairs a state that a variant has to exclude with one of its sources, or
// with all.
func (n *encoder) against(c *coding, v, state int, on partition) (pairs [][]int) {
	sources := c.g.sources(c.variants[v])
	one, all := n.member(sources), n.rng.IntN(2) == 0
	for source := range sources.Each {
		if p := []int{on.block[source], on.block[state]}; p[0] != p[1] && (all || source == one) {
			pairs = append(pairs, p)
		}
	}
	return pairs
}
