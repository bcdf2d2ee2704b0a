package operators

import (
	"cmp"
	"fmt"
	"slices"

	"stripswm/models/operators/internal/regions"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// split is a task graph in which each variant of an action is an action of its
// own. Where another variant of the action applies, a variant must not.
type split struct {
	graph   *taskgraph.Graph
	missing []regions.Pair
	action  []strips.ActionID // by variant
	bound   int               // on the number of operators
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
			out.bound++
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

// model gives the operators of a model of the variants back to their actions.
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
