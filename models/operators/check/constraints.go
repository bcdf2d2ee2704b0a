package check

import (
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

func (c *checker) edges() {
	listed := map[strips.Slack]bool{}
	for _, s := range c.m.Slack {
		if listed[s] {
			c.fault("slack of edge (%d, %d, %d) and predicate %d is listed twice", s.Source, s.Action,
				s.Target, s.Predicate)
		}
		listed[s] = true
	}
	c.sum.Xi = len(listed)
	for _, e := range c.g.Edges {
		if c.byNondeterminism[Pair{e.Source, e.Action}] {
			continue // its slack stays listed, which is a fault
		}
		variants := c.applying(e)
		label, from, to := c.g.Labels[e.Action-1], c.code[e.Source], c.code[e.Target]
		for p := range from {
			wrong := false
			for _, k := range variants {
				wrong = wrong || k.after(from, p) != to[p]
			}
			slack := strips.Slack{Source: e.Source, Action: e.Action, Target: e.Target,
				Predicate: strips.Predicate(p)}
			switch {
			case wrong && !listed[slack]:
				c.fault("C2: edge (%d, %s, %d): predicate %d becomes %t, want %t", e.Source, label, e.Target, p,
					!to[p], to[p])
			case !wrong && listed[slack]:
				c.fault("C2: edge (%d, %s, %d): slack for predicate %d is not needed", e.Source, label,
					e.Target, p)
			}
			delete(listed, slack)
		}
	}
	for _, s := range c.m.Slack { // in the order of the model
		if listed[s] {
			c.fault("C2: slack for (%d, %d, %d), which is no edge that operators explain", s.Source,
				s.Action, s.Target)
		}
	}
}

// applying are the operators that apply at the source of an edge; it is a fault if
// none does.
func (c *checker) applying(e taskgraph.Edge) (variants []masks) {
	all, label := c.byAction[e.Action-1], c.g.Labels[e.Action-1]
	for _, k := range all {
		if k.applies(c.code[e.Source]) {
			variants = append(variants, k)
		}
	}
	switch {
	case len(variants) > 0:
	case len(all) > 1:
		c.fault("C1: edge (%d, %s, %d): none of the %d operators applies in the source", e.Source, label,
			e.Target, len(all))
	default:
		for p, holds := range c.code[e.Source] {
			if all[0].pos[p] && !holds || all[0].neg[p] && holds {
				c.fault("C1: edge (%d, %s, %d): the precondition on predicate %d does not hold in the source",
					e.Source, label, e.Target, p)
			}
		}
	}
	return variants
}

func (c *checker) pairs(missing []Pair) {
	listed := map[Pair]strips.Exception{}
	for _, e := range c.m.Exceptions {
		pair := Pair{e.Node, e.Action}
		if _, twice := listed[pair]; twice {
			c.fault("C3: exception (%d, %d) is listed twice", e.Node, e.Action)
		}
		listed[pair] = e
	}
	c.sum.Eta = len(listed)
	seen := c.seen()
	for _, pair := range missing {
		if pair.State < 0 || int(pair.State) >= len(c.code) || pair.Action < 1 ||
			int(pair.Action) > len(c.byAction) {
			c.fault("C3: missing pair (%d, %d) is not in the graph", pair.State, pair.Action)
			continue
		}
		exception, excepted := listed[pair]
		delete(listed, pair)
		ruledOut := c.ruledOut(pair)
		label := c.g.Labels[pair.Action-1]
		switch {
		case !ruledOut && !excepted:
			c.fault("C3: %s is applicable in node %d, where it is trusted not to be", label, pair.State)
		case ruledOut && excepted:
			c.fault("C3: exception (%d, %s) is not needed", pair.State, label)
		case excepted:
			if shared := seen[c.inCode(pair)]; shared != exception.Shared {
				c.fault("exception (%d, %s): shared is %t, want %t", pair.State, label, exception.Shared,
					shared)
			}
		}
	}
	for _, e := range c.m.Exceptions {
		if _, left := listed[Pair{e.Node, e.Action}]; left {
			c.fault("C3: exception (%d, %d) is no trusted missing pair", e.Node, e.Action)
		}
	}
}
