package variants

import (
	"slices"

	"stripswm/models/internal/bitset"
)

// coding is a choice of regions and what follows from it: the codes of the states,
// and the edges of one action on which every region changes alike, which are the
// variants that it takes at least.
type coding struct {
	g        *Graph
	toggles  bool // a change is the same either way
	regions  []bitset.Set
	of       []int // variant of each edge
	variants [][]int
	codes    partition // states with the same code
}

func newCoding(g *Graph, toggles bool) *coding {
	c := &coding{g: g, toggles: toggles, of: make([]int, len(g.Edges)), codes: trivial(g.States)}
	for _, edges := range g.of() {
		if len(edges) > 0 {
			for _, e := range edges {
				c.of[e] = len(c.variants)
			}
			c.variants = append(c.variants, edges)
		}
	}
	return c
}

func (c *coding) clone() *coding {
	d := *c
	d.regions = slices.Clip(c.regions)
	return &d
}

// change says how a region changes on an edge: not at all, up, down.
func (c *coding) change(x bitset.Set, e Edge) int {
	from, to := x.Has(e.Source), x.Has(e.Target)
	switch {
	case from == to:
		return 0
	case to || c.toggles:
		return 1
	}
	return 2
}

// add takes a region into the code.
func (c *coding) add(x bitset.Set) {
	c.regions = append(c.regions, x)
	number := make([][3]int, len(c.variants)) // counted from 1
	of := make([]int, len(c.of))
	c.variants = nil
	for e, edge := range c.g.Edges {
		k := &number[c.of[e]][c.change(x, edge)]
		if *k == 0 {
			c.variants = append(c.variants, nil)
			*k = len(c.variants)
		}
		of[e] = *k - 1
		c.variants[of[e]] = append(c.variants[of[e]], e)
	}
	c.of = of
	c.codes = c.codes.split(x)
}

// grouping has the coding's variants.
func (c *coding) grouping() grouping {
	n := grouping{of: first(c.variants, len(c.g.Edges)), variants: len(c.variants), regions: c.regions}
	for _, edges := range c.variants {
		n.size += len(edges) * len(edges)
	}
	return n
}

// with takes regions into the code that it does not have.
func (c *coding) with(regions []bitset.Set) *coding {
	d := c.clone()
	for _, x := range regions {
		if !slices.ContainsFunc(d.regions, func(y bitset.Set) bool { return slices.Equal(x, y) }) {
			d.add(x)
		}
	}
	return d
}

// without is the coding without one of its regions.
func (c *coding) without(region int) *coding {
	d := newCoding(c.g, c.toggles)
	for i, x := range c.regions {
		if i != region {
			d.add(x)
		}
	}
	return d
}

// open lists, for each variant, the states that its preconditions have to exclude
// and that no region excludes. Those are the sources of other variants of its
// action and the states where it must not apply, of the blocks of a partition in
// which it applies nowhere.
func (c *coding) open(of partition) (open []bitset.Set, total int) {
	applies := make([]bitset.Set, c.g.Actions)
	somewhere := make([][]bool, c.g.Actions)
	for a, edges := range c.g.of() {
		applies[a] = c.g.sources(edges)
		somewhere[a] = make([]bool, of.blocks)
		for s := range applies[a].Each {
			somewhere[a][of.block[s]] = true
		}
	}
	open = make([]bitset.Set, len(c.variants))
	for v, edges := range c.variants {
		a := c.g.Edges[edges[0]].Action
		sources := c.g.sources(edges)
		open[v] = applies[a].Clone()
		for s := range c.g.Missing[a].Each {
			if !somewhere[a][of.block[s]] {
				open[v].Set(s)
			}
		}
		open[v].Remove(sources)
		c.exclude(open[v], sources)
		total += open[v].Count()
	}
	return open, total
}

// exclude leaves the states that agree with all of the sources in every region
// that is constant on them.
func (c *coding) exclude(open, sources bitset.Set) {
	for _, x := range c.regions {
		if open.Empty() {
			return
		}
		agreeing(open, sources, x)
	}
}
