package regions

import (
	"cmp"
	"context"
	"slices"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
	"stripswm/models/strips"
)

// hittingNodes bounds the search for one action's preconditions.
const hittingNodes = 20000

// assembled is a model made of regions, and what it costs.
type assembled struct {
	Model         *strips.Model
	Eta           int
	Effects       int
	Preconditions int
	Codes         int // different ones
	price         int // of the slack
	// least is a lower bound on the preconditions over these regions: of the
	// actions without an edge it counts one each, which any regions need.
	least int
}

// assemble makes the model whose predicates are the given regions: each action
// gets the fewest preconditions that separate what the regions can separate of
// its separation constraints, and what they cannot becomes exceptions.
func (p *Problem) assemble(regions []*region) assembled {
	regions = p.normal(regions)
	m := assembled{Model: &strips.Model{Predicates: len(regions)}}
	codes := p.codes(regions)
	distinct := map[strips.State]bool{}
	for s, code := range codes {
		m.Model.States = append(m.Model.States, strips.Known{Node: stateID(s), Code: code})
		distinct[code] = true
	}
	m.Codes = len(distinct)
	for a := range p.actions {
		op := strips.Operator{Action: actionID(a), Name: p.graph.Labels[a]}
		var open bitset.Set
		bound := 0
		if p.actions[a].sources.Empty() {
			op.PrePos, op.PreNeg, open = p.unseen(a, codes)
			if !p.actions[a].missing.Empty() {
				bound = 1
			}
		} else {
			op.PrePos, op.PreNeg, open, bound = p.require(a, regions)
		}
		for i, c := range regions {
			c.does[a].write(&op, strips.Predicate(i))
		}
		m.Effects += len(op.Add) + len(op.Del) + len(op.Toggle)
		m.Preconditions += len(op.PrePos) + len(op.PreNeg)
		m.least += bound
		m.Model.Operators = append(m.Model.Operators, op)
		for s := range open.Each {
			m.Model.Exceptions = append(m.Model.Exceptions, strips.Exception{Node: stateID(s),
				Action: actionID(a), Shared: p.shared(a, s, codes)})
		}
	}
	for i, c := range regions {
		for _, k := range c.slack {
			e := p.graph.Edges[k]
			m.Model.Slack = append(m.Model.Slack, strips.Slack{Source: e.Source, Action: e.Action,
				Target: e.Target, Predicate: strips.Predicate(i)})
			m.price += p.weight(k)
		}
	}
	slices.SortFunc(m.Model.Slack, func(x, y strips.Slack) int {
		return cmp.Or(cmp.Compare(x.Source, y.Source), cmp.Compare(x.Action, y.Action),
			cmp.Compare(x.Target, y.Target), cmp.Compare(x.Predicate, y.Predicate))
	})
	m.Eta = len(m.Model.Exceptions)
	slices.SortFunc(m.Model.Exceptions, func(x, y strips.Exception) int {
		return cmp.Or(cmp.Compare(x.Node, y.Node), cmp.Compare(x.Action, y.Action))
	})
	return m
}

// normal gives the regions a fixed order and polarity: a predicate holds in the
// smaller part of the states, not in state 0 if the parts are equal.
func (p *Problem) normal(regions []*region) []*region {
	out := make([]*region, len(regions))
	for i, c := range regions {
		if n := c.x.Count(); 2*n > p.states || 2*n == p.states && c.x.Has(0) {
			c, _ = p.regionOf(p.complement(c.x))
		}
		out[i] = c
	}
	slices.SortStableFunc(out, func(a, b *region) int {
		return -slices.CompareFunc(a.x, b.x,
			fromLowestBit)
	})
	return out
}

func (p *Problem) complement(x bitset.Set) bitset.Set {
	out := bitset.New(p.states)
	for s := range p.states {
		if !x.Has(s) {
			out.Set(s)
		}
	}
	return out
}

// fromLowestBit orders words by their lowest differing bit.
func fromLowestBit(a, b uint64) int {
	diff := a ^ b
	switch {
	case diff == 0:
		return 0
	case a&(diff&-diff) != 0:
		return 1
	}
	return -1
}

// assembly is about the work that assemble takes.
func (p *Problem) assembly(regions []*region) int64 {
	return int64(len(p.constraints)*8+p.states) * int64(1+len(regions))
}

func (p *Problem) codes(regions []*region) []strips.State {
	codes := make([]strips.State, p.states)
	values := make([]bool, len(regions))
	for s := range codes {
		for i, c := range regions {
			values[i] = c.x.Has(s)
		}
		codes[s] = strips.StateOf(values)
	}
	return codes
}

// shared says whether a state with the code of s is a source of action a.
func (p *Problem) shared(a, s int, codes []strips.State) bool {
	for t := range p.actions[a].sources.Each {
		if codes[t] == codes[s] {
			return true
		}
	}
	return false
}

// require chooses the fewest preconditions of an action that was seen: a
// hitting set over the regions that are constant on its sources. SeparationConstraints that no
// region separates stay open.
func (p *Problem) require(a int,
	regions []*region,
) (pos, neg []strips.Predicate, open bitset.Set, bound int) {
	open = bitset.New(p.states)
	kinds := map[string]bitset.Set{}
	var order []string
	for s := range p.of(p.constraints, a).Each {
		by := bitset.New(len(regions))
		for i, c := range regions {
			if p.of(c.cover, a).Has(s) {
				by.Set(i)
			}
		}
		if by.Empty() {
			open.Set(s)
			continue
		}
		key := by.Key()
		if kinds[key] == nil {
			kinds[key] = by
			order = append(order, key)
		}
	}
	if len(order) == 0 {
		return nil, nil, open, 0
	}
	sets := make([]bitset.Set, len(order))
	for i, key := range order {
		sets[i] = kinds[key]
	}
	costs := make([]int, len(regions))
	for i := range costs {
		costs[i] = 1
	}
	choice, bound := hitting(work.UntilDone(context.Background()), sets, costs, hittingNodes)
	for _, i := range choice {
		if regions[i].side[a] > 0 {
			pos = append(pos, strips.Predicate(i))
		} else {
			neg = append(neg, strips.Predicate(i))
		}
	}
	return pos, neg, open, bound
}
