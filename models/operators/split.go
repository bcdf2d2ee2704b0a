package operators

import (
	"cmp"
	"fmt"
	"slices"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/regions"
	"stripswm/models/operators/internal/variants"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// split is a task graph in which each variant of an action is an action of its
// own. Where another variant of the action applies, a variant must not.
type split struct {
	graph   *taskgraph.Graph
	missing []regions.Pair
	action  []strips.ActionID // by variant
}

// grouped is a graph and its trusted missing pairs as package variants takes them.
func grouped(certain *taskgraph.Graph, missing []Missing) *variants.Graph {
	g := &variants.Graph{States: certain.NumStates(), Actions: certain.NumActions()}
	for range g.Actions {
		g.Missing = append(g.Missing, bitset.New(g.States))
	}
	for _, m := range missing {
		g.Missing[m.Action-1].Set(int(m.State))
	}
	for _, e := range certain.Edges {
		g.Edges = append(g.Edges, variants.Edge{Source: int(e.Source), Action: int(e.Action) - 1,
			Target: int(e.Target)})
	}
	return g
}

// splitActions makes actions of variants: of[i] is that of edge i, counted by
// action. An action without an edge stays as it is.
func splitActions(g *taskgraph.Graph, missing []regions.Pair, of []int) *split {
	out := &split{graph: &taskgraph.Graph{Nodes: g.Nodes}}
	number := map[[2]int]strips.ActionID{} // by action and variant
	add := func(a strips.ActionID, name string) strips.ActionID {
		out.action = append(out.action, a)
		out.graph.Labels = append(out.graph.Labels, name)
		return strips.ActionID(len(out.action))
	}
	byAction := make([][]int, g.NumActions()+1)
	for i, e := range g.Edges {
		byAction[e.Action] = append(byAction[e.Action], i)
	}
	variant := make([]strips.ActionID, len(g.Edges))
	for a := strips.ActionID(1); int(a) <= g.NumActions(); a++ {
		edges := byAction[a]
		slices.SortStableFunc(edges, func(i, j int) int { return cmp.Compare(of[i], of[j]) })
		for _, i := range edges {
			key := [2]int{int(a), of[i]}
			if number[key] == 0 {
				number[key] = add(a, fmt.Sprintf("%s#%d", g.Label(a), len(number)))
			}
			variant[i] = number[key]
		}
		if len(edges) == 0 {
			add(a, g.Label(a)+"#")
		}
	}
	for i, e := range g.Edges {
		e.Action = variant[i]
		out.graph.Edges = append(out.graph.Edges, e)
	}
	slices.SortFunc(out.graph.Edges, taskgraph.CompareEdges)
	out.addMissing(g, missing, variant)
	return out
}

// addMissing lists where the variants must not apply.
func (p *split) addMissing(g *taskgraph.Graph, missing []regions.Pair, variant []strips.ActionID) {
	variants := map[strips.ActionID][]strips.ActionID{}
	for v, a := range p.action {
		variants[a] = append(variants[a], strips.ActionID(v+1))
	}
	for _, pair := range missing {
		for _, v := range variants[pair.Action] {
			p.missing = append(p.missing, regions.Pair{State: pair.State, Action: v})
		}
	}
	for i, e := range g.Edges {
		for _, v := range variants[e.Action] {
			if v != variant[i] {
				p.missing = append(p.missing, regions.Pair{State: e.Source, Action: v})
			}
		}
	}
}

// model makes a model of variants one of the actions that they are of.
func (p *split) model(m *strips.Model, labels []string) {
	for i := range m.Operators {
		op := &m.Operators[i]
		op.Action = p.action[i]
		op.Name = labels[op.Action-1]
	}
	for i := range m.Exceptions {
		m.Exceptions[i].Action = p.action[m.Exceptions[i].Action-1]
	}
	for i := range m.Slack {
		m.Slack[i].Action = p.action[m.Slack[i].Action-1]
	}
	slices.SortFunc(m.Exceptions, func(x, y strips.Exception) int {
		return cmp.Or(cmp.Compare(x.Node, y.Node), cmp.Compare(x.Action, y.Action))
	})
	m.Exceptions = slices.CompactFunc(m.Exceptions, func(x, y strips.Exception) bool {
		return x.Node == y.Node && x.Action == y.Action
	})
}

// excludeEachOther gives the variants of an action preconditions by which no two
// apply in one state, also one that was never seen, where a single predicate does
// that: one that holds in all sources of the one and in none of the other. It
// returns how many preconditions that took.
func (p *split) excludeEachOther(m *strips.Model) (added int) {
	sources := make([][]strips.State, len(m.Operators))
	for _, e := range p.graph.Edges {
		sources[e.Action-1] = append(sources[e.Action-1], m.States[e.Source].Code)
	}
	for i := range m.Operators {
		for j := range i {
			one, other := &m.Operators[i], &m.Operators[j]
			if one.Action != other.Action || one.Excludes(other) {
				continue
			}
			best, cost := strips.Predicate(-1), 3
			for q := range strips.Predicate(m.Predicates) {
				with, without := constant(sources[i], q), constant(sources[j], q)
				if with*without != -1 {
					continue
				}
				need := lacking(one, q, with) + lacking(other, q, without)
				if need < cost {
					best, cost = q, need
				}
			}
			if best >= 0 {
				require(one, best, constant(sources[i], best))
				require(other, best, constant(sources[j], best))
				added += cost
			}
		}
	}
	return added
}

// constant is +1 if a predicate holds in all states, -1 if in none, otherwise 0.
func constant(states []strips.State, q strips.Predicate) int {
	value := 0
	for i, s := range states {
		sign := -1
		if s.Get(q) {
			sign = 1
		}
		if i > 0 && sign != value {
			return 0
		}
		value = sign
	}
	return value
}

// lacking is 1 if an operator does not have this precondition yet.
func lacking(o *strips.Operator, q strips.Predicate, value int) int {
	if value > 0 && slices.Contains(o.PrePos, q) || value < 0 && slices.Contains(o.PreNeg, q) {
		return 0
	}
	return 1
}

// require adds a precondition.
func require(o *strips.Operator, q strips.Predicate, value int) {
	list := &o.PrePos
	if value < 0 {
		list = &o.PreNeg
	}
	if at, has := slices.BinarySearch(*list, q); !has {
		*list = slices.Insert(*list, at, q)
	}
}
