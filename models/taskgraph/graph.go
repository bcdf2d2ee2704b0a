package taskgraph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	Support int      `json:"support"`           // how often it was seen, as a source or a target
	Code    string   `json:"code,omitempty"`    // its latent code, where there is one
	Aliases []string `json:"aliases,omitempty"` // the codes of the nodes that were merged into it
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
	State  strips.StateID  `json:"state"`
	Action strips.ActionID `json:"action"`
	Count  int             `json:"count"`
}

// Pair is a node and an action.
type Pair struct {
	State  strips.StateID
	Action strips.ActionID
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
	g.Edges = summed(g.Edges, CompareEdges, func(e *Edge, n Edge) { e.Support += n.Support })
	g.Refused = summed(g.Refused, compareAttempts, func(r *Refusal, n Refusal) { r.Count += n.Count })
}

// summed sorts a list and adds equals to the first of them.
func summed[T any](list []T, compare func(a, b T) int, add func(to *T, x T)) []T {
	slices.SortFunc(list, compare)
	kept := list[:0]
	for _, x := range list {
		if n := len(kept); n > 0 && compare(kept[n-1], x) == 0 {
			add(&kept[n-1], x)
			continue
		}
		kept = append(kept, x)
	}
	return kept
}

// Branch is a latent-nondeterministic pair: an action that was seen to lead from
// one node to several (paper, appendix "Image-grounded task graph model").
type Branch struct {
	Source  strips.StateID   `json:"source"`
	Action  strips.ActionID  `json:"action"`
	Targets []strips.StateID `json:"targets"` // ascending, at least two
	Support []int            `json:"support"` // of the edge to each target
}

// String is the pair in words: "action 3 in state 0 led to states 1 (12 times), 4 (9)".
func (b Branch) String() string {
	led := make([]string, len(b.Targets))
	for i, t := range b.Targets {
		led[i] = fmt.Sprintf("%d (%d)", t, b.Support[i])
		if i == 0 {
			led[i] = fmt.Sprintf("%d (%d times)", t, b.Support[i])
		}
	}
	return fmt.Sprintf("action %d in state %d led to states %s", b.Action, b.Source,
		strings.Join(led, ", "))
}

// Nondeterministic lists the latent-nondeterministic pairs, by source and
// action. The paper's diagnostic is their number.
func (g *Graph) Nondeterministic() []Branch {
	var branches []Branch
	for i := 0; i < len(g.Edges); {
		e := g.Edges[i]
		b := Branch{Source: e.Source, Action: e.Action}
		for ; i < len(g.Edges) && g.Edges[i].Source == e.Source && g.Edges[i].Action == e.Action; i++ {
			b.Targets = append(b.Targets, g.Edges[i].Target)
			b.Support = append(b.Support, g.Edges[i].Support)
		}
		if len(b.Targets) > 1 {
			branches = append(branches, b)
		}
	}
	return branches
}

// Stats sums a graph up.
type Stats struct {
	States           int     `json:"states"`
	Actions          int     `json:"actions"`
	ActionsSeen      int     `json:"actions_seen"` // with at least one edge
	Edges            int     `json:"edges"`
	Pairs            int     `json:"pairs"`            // (s, a) with an edge
	Nondeterministic int     `json:"nondeterministic"` // (s, a) with several targets
	Refused          int     `json:"refused"`          // (s, a) that were tried and refused
	Contradictory    int     `json:"contradictory"`    // (s, a) with an edge and a refusal
	Coverage         float64 `json:"coverage"`         // share of all (s, a) with an edge or a refusal
	MinNodeSupport   int     `json:"min_node_support"`
	MinEdgeSupport   int     `json:"min_edge_support"`
}

// Stats counts what the graph covers.
func (g *Graph) Stats() Stats {
	st := Stats{States: g.NumStates(), Actions: g.NumActions(), Edges: len(g.Edges),
		Refused: len(g.Refused)}
	seen := make([]bool, g.NumActions())
	pairs := map[Pair]bool{}
	for i, e := range g.Edges {
		if !seen[e.Action-1] {
			seen[e.Action-1] = true
			st.ActionsSeen++
		}
		pairs[Pair{e.Source, e.Action}] = true
		if i == 0 || e.Support < st.MinEdgeSupport {
			st.MinEdgeSupport = e.Support
		}
	}
	st.Pairs = len(pairs)
	st.Nondeterministic = len(g.Nondeterministic())
	for _, r := range g.Refused {
		if pairs[Pair{r.State, r.Action}] {
			st.Contradictory++
		}
	}
	for i, n := range g.Nodes {
		if i == 0 || n.Support < st.MinNodeSupport {
			st.MinNodeSupport = n.Support
		}
	}
	if all := st.States * st.Actions; all > 0 {
		st.Coverage = float64(st.Pairs+st.Refused-st.Contradictory) / float64(all)
	}
	return st
}

// Relabel returns g with other names for its actions. Actions that get the same
// name become one, in the order of their first.
func (g *Graph) Relabel(name func(label string) string) *Graph {
	out := &Graph{Nodes: g.Nodes}
	action := make([]strips.ActionID, len(g.Labels)+1)
	known := map[string]strips.ActionID{}
	for i, label := range g.Labels {
		label = name(label)
		if known[label] == 0 {
			out.Labels = append(out.Labels, label)
			known[label] = strips.ActionID(len(out.Labels))
		}
		action[i+1] = known[label]
	}
	for _, e := range g.Edges {
		e.Action = action[e.Action]
		out.Edges = append(out.Edges, e)
	}
	// Refused by one and carried out by another of the same name is carried out.
	done := map[Refusal]bool{}
	for _, e := range out.Edges {
		done[Refusal{State: e.Source, Action: e.Action}] = true
	}
	for _, r := range g.Refused {
		r.Action = action[r.Action]
		if !done[Refusal{State: r.State, Action: r.Action}] {
			out.Refused = append(out.Refused, r)
		}
	}
	out.canonical()
	return out
}

// Merge returns g with each of the groups made one node, which takes the place of
// its first member and the code of its best supported one, with the others' codes
// as aliases, and the new number of every node. Groups must not overlap.
func (g *Graph) Merge(groups [][]strips.StateID) (*Graph, []strips.StateID) {
	into := make([]strips.StateID, len(g.Nodes))
	for s := range into {
		into[s] = strips.StateID(s)
	}
	for _, group := range groups {
		for _, s := range group {
			into[s] = min(group[0], s)
			for _, t := range group {
				into[s] = min(into[s], t)
			}
		}
	}
	out := &Graph{Labels: append([]string(nil), g.Labels...)}
	renumbered := make([]strips.StateID, len(g.Nodes))
	most := []int{}
	for s, n := range g.Nodes {
		if first := into[s]; int(first) < s {
			renumbered[s] = renumbered[first]
			node := &out.Nodes[renumbered[s]]
			node.Support += n.Support
			if n.Support > most[renumbered[s]] {
				node.Code, n.Code, most[renumbered[s]] = n.Code, node.Code, n.Support
			}
			node.Aliases = append(node.Aliases, n.Aliases...)
			if n.Code != "" {
				node.Aliases = append(node.Aliases, n.Code)
			}
			continue
		}
		renumbered[s] = strips.StateID(len(out.Nodes))
		n.Aliases = slices.Clone(n.Aliases)
		out.Nodes = append(out.Nodes, n)
		most = append(most, n.Support)
	}
	for _, e := range g.Edges {
		e.Source, e.Target = renumbered[e.Source], renumbered[e.Target]
		out.Edges = append(out.Edges, e)
	}
	for _, r := range g.Refused {
		r.State = renumbered[r.State]
		out.Refused = append(out.Refused, r)
	}
	for _, n := range out.Nodes {
		slices.Sort(n.Aliases)
	}
	out.canonical()
	return out, renumbered
}
