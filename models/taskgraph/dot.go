package taskgraph

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"stripswm/models/strips"
)

// The first and the last line of a graph.
const (
	dotHead = "digraph taskgraph {"
	dotEnd  = "}"
)

// WriteDOT writes the graph for Graphviz: nodes and edges carry their support,
// thicker lines were seen more often, latent-nondeterministic edges are red, and
// refused attempts are dashed loops. ReadDOT reads it back without loss.
func (g *Graph) WriteDOT(w io.Writer) error {
	if err := g.Validate(); err != nil {
		return err
	}
	type pair struct {
		s strips.StateID
		a strips.ActionID
	}
	branching := map[pair]bool{}
	for _, b := range g.Nondeterministic() {
		branching[pair{b.Source, b.Action}] = true
	}
	most := 1
	for _, e := range g.Edges {
		most = max(most, e.Support)
	}
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, dotHead)
	fmt.Fprintln(out, `  node [shape=circle, fontname="Helvetica"]; edge [fontname="Helvetica", fontsize=9];`)
	for i, label := range g.Labels {
		fmt.Fprintf(out, "  // action %d %s\n", i+1, strconv.Quote(label))
	}
	for i, n := range g.Nodes {
		aliases := ""
		if len(n.Aliases) > 0 {
			list, err := json.Marshal(n.Aliases)
			if err != nil {
				return fmt.Errorf("graphviz: node %d: %w", i, err)
			}
			aliases = ", aliases=" + strconv.Quote(string(list))
		}
		fmt.Fprintf(out, "  %d [support=%d, code=%s%s];\n", i, n.Support, strconv.Quote(n.Code), aliases)
	}
	for _, e := range g.Edges {
		style := ""
		if branching[pair{e.Source, e.Action}] {
			style = ", color=red"
		}
		fmt.Fprintf(out, "  %d -> %d [action=%d, support=%d, label=%s, penwidth=%.2f%s];\n", e.Source,
			e.Target, e.Action, e.Support,
			strconv.Quote(g.Labels[e.Action-1]), 0.5+2.5*float64(e.Support)/float64(most), style)
	}
	for _, r := range g.Refused {
		fmt.Fprintf(out, "  %d -> %d [refused=%d, count=%d, label=%s, style=dashed];\n", r.State, r.State,
			r.Action, r.Count,
			strconv.Quote(g.Labels[r.Action-1]))
	}
	fmt.Fprintln(out, dotEnd)
	return out.Flush()
}
