package taskgraph

import (
	"cmp"
	"fmt"
	"slices"

	"stripswm/models/strips"
)

// Graph is a task graph. Nodes are numbered by their index; Edges are sorted by
// source, action and target, Refused by state and action, both without
// repetition.
type Graph struct {
	Labels  []string // Labels[a-1] names action a; L = len(Labels)
	Nodes   []Node
	Edges   []Edge
	Refused []Refusal
}

// Node is an abstract state.
type Node struct {
	Support int      // how often it was seen, as a source or a target
	Code    string   // its latent code, where there is one
	Aliases []string // the codes of the nodes that were merged into it
}

// Edge is an observed transition.
type Edge struct {
	Source  strips.StateID  `json:"source"`
	Action  strips.ActionID `json:"action"`
	Target  strips.StateID  `json:"target"`
	Support int             `json:"support"` // how often it was seen
}

// Refusal is an action that the robot tried and that was refused.
type Refusal struct {
	State  strips.StateID
	Action strips.ActionID
	Count  int
}

// NumStates is |S|.
func (g *Graph) NumStates() int { return len(g.Nodes) }

// Codes maps every latent code to its node.
func (g *Graph) Codes() map[string]strips.StateID {
	codes := map[string]strips.StateID{}
	for s, n := range g.Nodes {
		if n.Code != "" {
			codes[n.Code] = strips.StateID(s)
		}
		for _, alias := range n.Aliases {
			codes[alias] = strips.StateID(s)
		}
	}
	return codes
}

// NumActions is L.
func (g *Graph) NumActions() int { return len(g.Labels) }

// Label names action a.
func (g *Graph) Label(a strips.ActionID) string { return g.Labels[a-1] }

// Out is the edges that leave s.
func (g *Graph) Out(s strips.StateID) []Edge {
	from, _ := slices.BinarySearchFunc(g.Edges, s, func(e Edge, s strips.StateID) int {
		return cmp.Compare(e.Source, s)
	})
	to := from
	for to < len(g.Edges) && g.Edges[to].Source == s {
		to++
	}
	return g.Edges[from:to:to]
}

// Targets is where action a was seen to lead from s: one node if the graph is
// deterministic there, none if it was never seen.
func (g *Graph) Targets(s strips.StateID, a strips.ActionID) []strips.StateID {
	var targets []strips.StateID
	for _, e := range g.Out(s) {
		if e.Action == a {
			targets = append(targets, e.Target)
		}
	}
	return targets
}

// Validate reports the first thing that makes g malformed.
func (g *Graph) Validate() error {
	seen := map[string]int{}
	for i, label := range g.Labels {
		if j, taken := seen[label]; taken {
			return fmt.Errorf("task graph: actions %d and %d are both labelled %q", j, i+1, label)
		}
		seen[label] = i + 1
	}
	for i, n := range g.Nodes {
		if n.Support < 0 {
			return fmt.Errorf("task graph: node %d: support %d is negative", i, n.Support)
		}
	}
	for i, e := range g.Edges {
		if !g.has(e.Source, e.Action) || !g.has(e.Target, e.Action) {
			return fmt.Errorf("task graph: edge %d (%d, %d, %d): want nodes 0..%d and actions 1..%d",
				i, e.Source, e.Action, e.Target, len(g.Nodes)-1, len(g.Labels))
		}
		if e.Support < 1 {
			return fmt.Errorf("task graph: edge %d (%d, %d, %d): support %d, want at least 1", i, e.Source,
				e.Action, e.Target, e.Support)
		}
		if i > 0 && CompareEdges(g.Edges[i-1], e) >= 0 {
			return fmt.Errorf("task graph: edge %d (%d, %d, %d) is repeated or out of order", i, e.Source,
				e.Action, e.Target)
		}
	}
	for i, r := range g.Refused {
		if !g.has(r.State, r.Action) || r.Count < 1 {
			return fmt.Errorf(
				"task graph: refused attempt %d (%d, %d) x%d: want nodes 0..%d, actions 1..%d and a positive "+
					"count",
				i, r.State, r.Action, r.Count, len(g.Nodes)-1, len(g.Labels))
		}
		if i > 0 && compareAttempts(g.Refused[i-1], r) >= 0 {
			return fmt.Errorf("task graph: refused attempt %d (%d, %d) is repeated or out of order", i,
				r.State, r.Action)
		}
	}
	return nil
}

func (g *Graph) has(s strips.StateID, a strips.ActionID) bool {
	return s >= 0 && int(s) < len(g.Nodes) && a >= 1 && int(a) <= len(g.Labels)
}

// CompareEdges orders edges by source, action and target, as in a Graph.
func CompareEdges(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Action, b.Action),
		cmp.Compare(a.Target, b.Target))
}

func compareAttempts(a, b Refusal) int {
	return cmp.Or(cmp.Compare(a.State, b.State), cmp.Compare(a.Action, b.Action))
}

// canonical sorts g and adds up repeated edges and attempts.
func (g *Graph) canonical() {
	slices.SortFunc(g.Edges, CompareEdges)
	edges := g.Edges[:0]
	for _, e := range g.Edges {
		if n := len(edges); n > 0 && CompareEdges(edges[n-1], e) == 0 {
			edges[n-1].Support += e.Support
			continue
		}
		edges = append(edges, e)
	}
	g.Edges = edges
	slices.SortFunc(g.Refused, compareAttempts)
	refused := g.Refused[:0]
	for _, r := range g.Refused {
		if n := len(refused); n > 0 && compareAttempts(refused[n-1], r) == 0 {
			refused[n-1].Count += r.Count
			continue
		}
		refused = append(refused, r)
	}
	g.Refused = refused
}
