package regions

import (
	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
	"stripswm/models/strips"
)

// effect is what an action does to one predicate. Only the methods of effect tell the cases apart.
type effect int8

const (
	inert   effect = iota // x_s' = x_s
	adds                  // x_s' = 1
	deletes               // x_s' = 0
	toggles               // x_s' = not x_s
)

// plain lists the effects of STRIPS, everything those with toggles.
var (
	plain      = []effect{inert, adds, deletes}
	everything = []effect{inert, adds, deletes, toggles}
)

// moving lists the effects of a problem that change something. The oracle has a
// variable for each of these; an action that has none of them is inert.
func (p *Problem) moving() []effect { return p.effects[1:] }

// fits says whether a predicate may have the value from before the action and to
// after it.
func (e effect) fits(from, to bool) bool {
	switch e {
	case adds:
		return to
	case deletes:
		return !to
	case toggles:
		return from != to
	}
	return from == to
}

// clauses say the same of literals.
func (e effect) clauses(from, to z.Lit) [][]z.Lit {
	switch e {
	case adds:
		return [][]z.Lit{{to}}
	case deletes:
		return [][]z.Lit{{to.Not()}}
	case toggles:
		return [][]z.Lit{{from, to}, {from.Not(), to.Not()}}
	}
	return [][]z.Lit{{from.Not(), to}, {from, to.Not()}}
}

// fitsAll says whether an effect of action a fits all edges that are not paid.
func (p *Problem) fitsAll(e effect, a int, x bitset.Set) bool {
	switch e {
	case adds:
		return p.actions[a].targets.Within(x)
	case deletes:
		return !p.actions[a].targets.Meets(x)
	}
	for _, k := range p.actions[a].edges {
		if !e.fits(x.Has(int(k[0])), x.Has(int(k[1]))) {
			return false
		}
	}
	return true
}

// write puts the effect on predicate q into an operator.
func (e effect) write(op *strips.Operator, q strips.Predicate) {
	switch e {
	case adds:
		op.Add = append(op.Add, q)
	case deletes:
		op.Del = append(op.Del, q)
	case toggles:
		op.Toggle = append(op.Toggle, q)
	}
}

// region is one predicate: a region of the task graph in the sense of Petri-net
// synthesis. On all its edges every action is inert (x_s = x_s'), adding
// (x_s' = 1) or deleting (x_s' = 0); an action is inert wherever it can be, so
// that a region has as few effects as its values allow. The complement of a
// region is a region that separates the same pairs.
type region struct {
	x       bitset.Set // the states where the predicate holds
	does    []effect   // by action
	side    []int8     // by action: +1 holds in all its sources, -1 in none, 0 mixed
	effects int        // actions that are not inert
	slack   []int      // edges of the graph that it does not fit
	cover   bitset.Set // the separation constraints that it separates
}

// regionOf works out what a predicate with the given values does. Where an action
// fits none of the three, it takes the one that fits most of its edges, and the
// others are slack; the second result says that there is none but on paid edges.
func (p *Problem) regionOf(x bitset.Set) (*region, bool) {
	c := &region{x: x, does: make([]effect, len(p.actions)), side: make([]int8, len(p.actions)),
		cover: make(bitset.Set, len(p.constraints))}
	fits := true
	for a := range p.actions {
		act := &p.actions[a]
		if act.sources.Empty() {
			continue
		}
		switch {
		case act.sources.Within(x):
			c.side[a] = 1
		case !act.sources.Meets(x):
			c.side[a] = -1
		}
		fits = p.settle(c, a) && fits
		if c.does[a] != inert {
			c.effects++
		}
		p.separate(c, a)
	}
	base := len(p.actions) * p.words * 64
	for i, pair := range p.distinct {
		if x.Has(pair[0]) != x.Has(pair[1]) {
			c.cover.Set(base + i)
		}
	}
	return c, fits
}

// settle chooses the effect of action a on c: one that fits all edges that are
// not paid, of these the one with the least slack, of these inert first.
func (p *Problem) settle(c *region, a int) bool {
	fits := false
	for _, e := range p.effects {
		if p.fitsAll(e, a, c.x) {
			fits = true
			if len(p.actions[a].paid) == 0 {
				c.does[a] = e
				return true
			}
		}
	}
	least := -1
	var slack []int
	for _, e := range p.effects {
		if fits && !p.fitsAll(e, a, c.x) {
			continue
		}
		cost, wrong := 0, p.unfit(a, c.x, e)
		for _, k := range wrong {
			cost += p.weight(k)
		}
		if least < 0 || cost < least {
			c.does[a], slack, least = e, wrong, cost
		}
	}
	c.slack = append(c.slack, slack...)
	return fits
}

// unfit lists the edges of action a, paid ones included, that an effect does not
// fit.
func (p *Problem) unfit(a int, x bitset.Set, does effect) []int {
	act := &p.actions[a]
	var wrong []int
	for _, k := range append(act.index[:len(act.index):len(act.index)], act.paid...) {
		e := p.graph.Edges[k]
		if !does.fits(x.Has(int(e.Source)), x.Has(int(e.Target))) {
			wrong = append(wrong, k)
		}
	}
	return wrong
}

// weight is the price of slack on an edge.
func (p *Problem) weight(edge int) int {
	if p.bySupport {
		return p.graph.Edges[edge].Support
	}
	return 1
}

// mustRegion is regionOf for values that the oracle found.
func (p *Problem) mustRegion(x bitset.Set) *region {
	c, ok := p.regionOf(x)
	if !ok {
		panic("regions: the oracle returned values that do not fit the graph")
	}
	return c
}

// separate fills in the separation constraints of action a that c separates: the states whose
// value differs from that of all sources.
func (p *Problem) separate(c *region, a int) {
	if c.side[a] == 0 {
		return
	}
	part := p.of(c.cover, a)
	for i, w := range p.of(p.constraints, a) {
		if c.side[a] > 0 {
			part[i] = w &^ c.x[i]
		} else {
			part[i] = w & c.x[i]
		}
	}
}

// sign is that of oracle.separating by which c separates a separation constraint that it covers.
func (c *region) sign(p *Problem, constraint int) int {
	a, _ := p.pair(constraint)
	if a < len(p.actions) {
		return int(c.side[a])
	}
	if c.x.Has(p.unpair(constraint)[0]) {
		return +1
	}
	return -1
}
