package taskgraph

import (
	"fmt"

	"stripswm/models/strips"
)

// Builder makes a graph from observed transitions. Abstract states are known by
// their latent code and numbered as they first appear. The zero Builder is not
// usable; see NewBuilder.
type Builder struct {
	graph Graph
	ids   map[string]strips.StateID
	edges map[Edge]int    // position in graph.Edges, by edge with Support 0
	tries map[Refusal]int // position in graph.Refused, by attempt with Count 0
}

// NewBuilder starts an empty graph over the actions 1..len(labels).
func NewBuilder(labels []string) *Builder {
	return &Builder{
		graph: Graph{Labels: append([]string(nil), labels...)},
		ids:   map[string]strips.StateID{},
		edges: map[Edge]int{},
		tries: map[Refusal]int{},
	}
}

// Observe records that action a led from the state with code source to the one
// with code target.
func (b *Builder) Observe(source string, a strips.ActionID, target string) error {
	if err := b.known(a); err != nil {
		return fmt.Errorf("task graph: transition from %s: %w", source, err)
	}
	e := Edge{Source: b.node(source), Action: a, Target: b.node(target)}
	i, seen := b.edges[e]
	if !seen {
		i = len(b.graph.Edges)
		b.edges[e] = i
		b.graph.Edges = append(b.graph.Edges, e)
	}
	b.graph.Edges[i].Support++
	return nil
}

// Refuse records that action a was tried in the state with code state and
// refused: real negative evidence, unlike a transition that was never seen.
func (b *Builder) Refuse(state string, a strips.ActionID) error {
	if err := b.known(a); err != nil {
		return fmt.Errorf("task graph: attempt in %s: %w", state, err)
	}
	t := Refusal{State: b.node(state), Action: a}
	i, seen := b.tries[t]
	if !seen {
		i = len(b.graph.Refused)
		b.tries[t] = i
		b.graph.Refused = append(b.graph.Refused, t)
	}
	b.graph.Refused[i].Count++
	return nil
}

// Graph returns what was observed so far. Later observations do not change it.
func (b *Builder) Graph() *Graph {
	g := &Graph{
		Labels:  append([]string(nil), b.graph.Labels...),
		Nodes:   append([]Node(nil), b.graph.Nodes...),
		Edges:   append([]Edge(nil), b.graph.Edges...),
		Refused: append([]Refusal(nil), b.graph.Refused...),
	}
	g.canonical()
	return g
}

func (b *Builder) node(code string) strips.StateID {
	id, ok := b.ids[code]
	if !ok {
		id = strips.StateID(len(b.graph.Nodes))
		b.ids[code] = id
		b.graph.Nodes = append(b.graph.Nodes, Node{Code: code})
	}
	b.graph.Nodes[id].Support++
	return id
}

func (b *Builder) known(a strips.ActionID) error {
	if a < 1 || int(a) > len(b.graph.Labels) {
		return fmt.Errorf("action %d is outside 1..%d", a, len(b.graph.Labels))
	}
	return nil
}
