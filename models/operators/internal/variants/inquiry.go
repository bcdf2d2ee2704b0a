package variants

import (
	"slices"

	"github.com/go-air/gini/z"

	"stripswm/models/internal/bitset"
)

// inquiry is a grouping that is being refuted.
type inquiry struct {
	*refuter
	groups  [][]int // of two edges or more, ascending; other edges are on their own
	blame   int     // the action whose edges conflicts are made of, -1 for all
	guarded []z.Lit // the assumptions that the groups are
	fitting []bitset.Set
	codes   partition // of the states by the regions that fit
}

// refute returns conflicts that a grouping has or, if it is fine, regions that show
// it; neither if there is not enough work to tell. If only one action is to blame,
// the others' groups are as good as part of the graph.
func (r *refuter) refute(groups [][]int,
	blame int,
) (found []conflict, regions []bitset.Set, fine bool) {
	i := &inquiry{refuter: r, groups: groups, blame: blame}
	i.settle()
	for !r.w.Over() {
		c, lacking := i.lacking()
		if r.w.Over() {
			break
		}
		if !lacking {
			return found, i.fitting, len(found) == 0
		}
		if len(c.together) == 0 {
			break // nothing but what is not to blame
		}
		found = append(found, c)
		i.without(c)
	}
	return found, nil, false
}

// settle works out the assumptions, and which known regions fit.
func (i *inquiry) settle() {
	i.guarded, i.fitting, i.codes = nil, nil, trivial(i.g.States)
	for _, edges := range i.groups {
		for _, e := range edges {
			i.guarded = append(i.guarded, i.guard(edges[0], e))
		}
	}
	for _, c := range i.regions {
		if i.fits(c) {
			i.use(c.x)
		}
	}
	i.w.Spend(int64(len(i.regions)))
}

func (i *inquiry) fits(c seen) bool {
	for _, edges := range i.groups {
		does := i.any
		for _, e := range edges {
			if does &= c.fits[e]; does == 0 {
				return false
			}
		}
	}
	return true
}

func (i *inquiry) use(x bitset.Set) {
	i.fitting = append(i.fitting, x)
	if i.codes.blocks < i.g.States {
		i.codes = i.codes.split(x)
		i.w.Spend(int64(i.g.States) / 8)
	}
}

// without lifts a conflict: one edge of each set leaves its group.
func (i *inquiry) without(c conflict) {
	loose := map[int]bool{}
	for _, edges := range c.together {
		loose[edges[0]] = true
	}
	var groups [][]int
	for _, edges := range i.groups {
		rest := slices.DeleteFunc(slices.Clone(edges), func(e int) bool { return loose[e] })
		if len(rest) > 1 {
			groups = append(groups, rest)
		}
	}
	i.groups = groups
	i.settle()
}

// lacking looks for something that there is no region for. Edges on their own lack
// nothing if all states are distinguished.
func (i *inquiry) lacking() (conflict, bool) {
	for i.codes.blocks < i.g.States {
		s, t := i.codes.complements()
		if reason, ok := i.ask(i.holds(s), i.holds(t).Not()); !ok {
			return i.conflict(reason, Lack{One: s, Other: t}, nil), true
		}
	}
	for _, edges := range i.groups {
		if c, lacking := i.includes(edges); lacking {
			return c, true
		}
	}
	return conflict{}, false
}

// includes looks for a state that the preconditions of a group cannot exclude.
func (i *inquiry) includes(edges []int) (conflict, bool) {
	action := i.g.Edges[edges[0]].Action
	sources := i.g.sources(edges)
	open := i.g.sources(i.others[action])
	open.Add(i.g.Missing[action])
	open.Remove(sources)
	var values []z.Lit
	for _, e := range edges {
		values = append(values, i.source(e))
	}
	for known := 0; ; {
		for _, x := range i.fitting[known:] {
			agreeing(open, sources, x)
		}
		i.w.Spend(int64(len(open) * (len(i.fitting) - known)))
		known = len(i.fitting)
		if open.Empty() {
			return conflict{}, false
		}
		for s := range open.Each {
			if reason, ok := i.ask(append(slices.Clone(values), i.holds(s).Not())...); !ok {
				return i.conflict(reason, Lack{One: i.g.Edges[edges[0]].Source, Other: s, Of: edges}, edges),
					true
			}
			break
		}
	}
}

// ask looks for a region that fits the groups and has the given values. If there is
// none, it says which assumptions are to blame, none of them in vain.
func (i *inquiry) ask(values ...z.Lit) (reason []z.Lit, ok bool) {
	switch i.solve(append(values, i.guarded...)) {
	case 1:
		i.use(i.region())
		return nil, true
	case -1:
		reason = i.solver.Why(nil)
	}
	// first all edges of an action at once: conflicts of few actions say more
	last := -1
	for _, edges := range i.groups {
		if action := i.g.Edges[edges[0]].Action; i.blame < 0 && action != last {
			last = action
			reason = i.spare(reason, func(m z.Lit) bool {
				e, is := i.edge[m]
				return is &&
					i.g.Edges[e].Action == action
			})
		}
	}
	for _, m := range slices.Clone(reason) {
		if e, is := i.edge[m]; i.blame < 0 || is && i.g.Edges[e].Action == i.blame {
			reason = i.spare(reason, func(n z.Lit) bool { return n == m })
		}
	}
	return reason, false
}

// spare takes some assumptions out of a core if it remains one.
func (i *inquiry) spare(reason []z.Lit, some func(z.Lit) bool) []z.Lit {
	rest := slices.DeleteFunc(slices.Clone(reason), some)
	if len(rest) == len(reason) || i.w.Over() || i.solve(rest) != -1 {
		return reason
	}
	needed := i.solver.Why(nil)
	return slices.DeleteFunc(rest, func(m z.Lit) bool { return !slices.Contains(needed, m) })
}

// conflict reads a core; of are the edges whose sources were required, if any.
func (i *inquiry) conflict(reason []z.Lit, lack Lack, of []int) conflict {
	c := conflict{unless: -1, lack: lack}
	for _, edges := range i.groups {
		if i.blame >= 0 && i.g.Edges[edges[0]].Action != i.blame {
			continue
		}
		var set []int
		asked := of != nil && edges[0] == of[0]
		for _, e := range edges {
			if slices.Contains(reason, i.guard(edges[0], e)) || asked &&
				slices.Contains(reason, i.source(e)) {
				set = append(set, e)
			}
		}
		switch {
		case asked && len(set) > 0:
			c.together = slices.Insert(c.together, 0, set)
			c.lack.One, c.lack.Of = i.g.Edges[set[0]].Source, set
		case len(set) > 1:
			c.together = append(c.together, set)
		}
	}
	if of != nil && i.blame < 0 {
		for _, e := range i.others[i.g.Edges[of[0]].Action] {
			if i.g.Edges[e].Source == lack.Other {
				c.unless = e
			}
		}
	}
	return c
}
