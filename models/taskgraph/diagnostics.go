package taskgraph

import (
	"fmt"
	"strings"

	"stripswm/models/strips"
)

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
	type pair struct {
		s strips.StateID
		a strips.ActionID
	}
	seen := make([]bool, g.NumActions())
	pairs := map[pair]bool{}
	for i, e := range g.Edges {
		if !seen[e.Action-1] {
			seen[e.Action-1] = true
			st.ActionsSeen++
		}
		pairs[pair{e.Source, e.Action}] = true
		if i == 0 || e.Support < st.MinEdgeSupport {
			st.MinEdgeSupport = e.Support
		}
	}
	st.Pairs = len(pairs)
	st.Nondeterministic = len(g.Nondeterministic())
	for _, r := range g.Refused {
		if pairs[pair{r.State, r.Action}] {
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
