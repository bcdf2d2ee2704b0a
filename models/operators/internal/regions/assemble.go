package regions

import (
	"cmp"
	"context"
	"slices"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
	"stripswm/models/strips"
)

// Solution is a choice of regions, the model they make, and what is proved.
type Solution struct {
	assembled
	regions []*region
	Bounds  Bounds
	Proved  Proved
}

// Proved says which of the figures are proved to be optimal.
type Proved struct {
	Xi         bool `json:"xi"`
	Eta        bool `json:"eta"`
	Operators  bool `json:"operators"` // not known here
	Predicates bool `json:"predicates"`
}

// Bounds are lower bounds on the figures: each is a bound given the figures before it in the order
// xi, eta, operators, predicates.
type Bounds struct {
	Xi         int `json:"xi"`
	Eta        int `json:"eta"`
	Operators  int `json:"operators"` // not known here
	Predicates int `json:"predicates"`
}

// solution makes a model of regions, with constant ones added up to m.
func (p *Problem) solution(regions []*region, m int) *Solution {
	regions = append([]*region(nil), regions...)
	for len(regions) < m {
		regions = append(regions, p.mustRegion(bitset.New(p.states)))
	}
	return &Solution{assembled: p.assemble(regions), regions: regions}
}

// better compares by xi, eta, number of predicates, effects and preconditions.
func (s *Solution) better(t *Solution) bool {
	a := []int{s.price, s.Eta, len(s.regions), s.Effects, s.Preconditions}
	b := []int{t.price, t.Eta, len(t.regions), t.Effects, t.Preconditions}
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// assembled is a model made of regions, and what it costs.
type assembled struct {
	Model         *strips.Model
	Eta           int
	Effects       int
	Preconditions int
	Codes         int // different ones
	price         int // of the slack
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
		if p.actions[a].sources.Empty() {
			op.PrePos, op.PreNeg, open = p.unseen(a, codes)
		} else {
			op.PrePos, op.PreNeg, open = p.require(a, regions)
		}
		for i, c := range regions {
			c.does[a].write(&op, strips.Predicate(i))
		}
		m.Effects += len(op.Add) + len(op.Del) + len(op.Toggle)
		m.Preconditions += len(op.PrePos) + len(op.PreNeg)
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
// hitting set over the regions that are constant on its sources. Separation constraints that no
// region separates stay open.
func (p *Problem) require(a int,
	regions []*region,
) (pos, neg []strips.Predicate, open bitset.Set) {
	covers := make([]bitset.Set, len(regions))
	for i, c := range regions {
		covers[i] = p.of(c.cover, a)
	}
	sets, open := membership(covers, p.of(p.constraints, a))
	choice, _ := hitting(work.UntilDone(context.Background()), sets, ones(len(regions)),
		hittingNodes)
	for _, i := range choice {
		if regions[i].side[a] > 0 {
			pos = append(pos, strips.Predicate(i))
		} else {
			neg = append(neg, strips.Predicate(i))
		}
	}
	return pos, neg, open
}

// unseen chooses preconditions of an action without an edge: literals that no
// state where it is trusted to be inapplicable satisfies together. Some always
// exist if the codes are fewer than 2^m.
func (p *Problem) unseen(a int,
	codes []strips.State,
) (pos, neg []strips.Predicate, open bitset.Set) {
	open = bitset.New(p.states)
	var left []strips.State
	seen := map[strips.State]bool{}
	for s := range p.actions[a].missing.Each {
		if code := codes[s]; !seen[code] {
			seen[code] = true
			left = append(left, code)
		}
	}
	if len(left) == 0 {
		return nil, nil, open
	}
	chosen := halving(left, codes[0].Len())
	for q := range strips.Predicate(codes[0].Len()) {
		if value, used := chosen[q]; used && value {
			pos = append(pos, q)
		} else if used {
			neg = append(neg, q)
		}
	}
	for s := range p.actions[a].missing.Each {
		if satisfies(codes[s], chosen) {
			open.Set(s)
		}
	}
	return pos, neg, open
}

// halving takes, again and again, the literal that fewest of the remaining codes
// satisfy, which at least halves them.
func halving(left []strips.State, m int) map[strips.Predicate]bool {
	literals := map[strips.Predicate]bool{}
	for len(left) > 0 && len(literals) < m {
		best, value, fewest := strips.Predicate(-1), false, len(left)+1
		for q := range strips.Predicate(m) {
			if _, used := literals[q]; used {
				continue
			}
			holds := len(satisfying(left, q, true))
			if holds < fewest {
				best, value, fewest = q, true, holds
			}
			if len(left)-holds < fewest {
				best, value, fewest = q, false, len(left)-holds
			}
		}
		literals[best] = value
		left = satisfying(left, best, value)
	}
	return literals
}

func satisfying(codes []strips.State, q strips.Predicate, value bool) []strips.State {
	var out []strips.State
	for _, code := range codes {
		if code.Get(q) == value {
			out = append(out, code)
		}
	}
	return out
}

func satisfies(code strips.State, literals map[strips.Predicate]bool) bool {
	for q, value := range literals {
		if code.Get(q) != value {
			return false
		}
	}
	return true
}

// withRoom sees to actions that were never seen: the codes may leave them no
// vector to require. If m is open, a constant predicate makes room then.
func (p *Problem) withRoom(s *Solution, m int) *Solution {
	if m > 0 || !slices.ContainsFunc(s.Model.Exceptions, func(e strips.Exception) bool {
		return p.actions[e.Action-1].sources.Empty()
	}) {
		return s
	}
	t := p.solution(s.regions, len(s.regions)+1)
	t.Bounds, t.Proved = s.Bounds, s.Proved
	t.Proved.Predicates = len(s.regions) == 0 // another cover of the old size might leave room
	t.Bounds.Predicates = max(1, s.Bounds.Predicates)
	return t
}
