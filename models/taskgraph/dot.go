package taskgraph

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"stripswm/models/strips"
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
	fmt.Fprintln(out, "digraph taskgraph {")
	fmt.Fprintln(out, `  node [shape=circle, fontname="Helvetica"]; edge [fontname="Helvetica", fontsize=9];`)
	for i, label := range g.Labels {
		fmt.Fprintf(out, "  // action %d %s\n", i+1, strconv.Quote(label))
	}
	for i, n := range g.Nodes {
		fmt.Fprintf(out, "  %d [support=%d, code=%s];\n", i, n.Support, strconv.Quote(n.Code))
	}
	for _, e := range g.Edges {
		style := ""
		if branching[pair{e.Source, e.Action}] {
			style = ", color=red"
		}
		fmt.Fprintf(out, "  %d -> %d [action=%d, support=%d, label=%s, penwidth=%.2f%s];\n", e.Source, e.Target, e.Action, e.Support,
			strconv.Quote(g.Labels[e.Action-1]), 0.5+2.5*float64(e.Support)/float64(most), style)
	}
	for _, r := range g.Refused {
		fmt.Fprintf(out, "  %d -> %d [refused=%d, count=%d, label=%s, style=dashed];\n", r.State, r.State, r.Action, r.Count,
			strconv.Quote(g.Labels[r.Action-1]))
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}

// ReadDOT reads what WriteDOT wrote; it is no reader of Graphviz in general.
func ReadDOT(r io.Reader) (*Graph, error) {
	lines := bufio.NewScanner(io.LimitReader(r, MaxBytes))
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	g := &Graph{}
	n := 0
	for lines.Scan() {
		n++
		if err := g.readDOTLine(strings.TrimSpace(lines.Text())); err != nil {
			return nil, fmt.Errorf("graphviz: line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("graphviz: line %d: %w", n+1, err)
	}
	g.canonical()
	if err := g.Validate(); err != nil {
		return nil, err
	}
	return g, nil
}

func (g *Graph) readDOTLine(line string) error {
	if line == "" || line == "}" || strings.HasPrefix(line, "digraph ") || strings.HasPrefix(line, "node [") {
		return nil
	}
	var id int
	var rest string
	if text, ok := strings.CutPrefix(line, "// action "); ok {
		word, quoted, _ := strings.Cut(text, " ")
		label, err := strconv.Unquote(quoted)
		if err != nil || word != strconv.Itoa(len(g.Labels)+1) || len(g.Labels) == MaxActions {
			return fmt.Errorf("%q is not the label of action %d", line, len(g.Labels)+1)
		}
		g.Labels = append(g.Labels, label)
		return nil
	}
	var e Edge
	if n, _ := fmt.Sscanf(line, "%d -> %d [action=%d, support=%d,", &e.Source, &e.Target, &e.Action, &e.Support); n == 4 {
		if e.Support < 1 || len(g.Edges) == MaxEdges {
			return fmt.Errorf("edge with support %d, or more than %d edges", e.Support, MaxEdges)
		}
		g.Edges = append(g.Edges, e)
		return nil
	}
	var a Attempt
	if n, _ := fmt.Sscanf(line, "%d -> %d [refused=%d, count=%d,", &a.State, &e.Target, &a.Action, &a.Count); n == 4 {
		if a.Count < 1 {
			return fmt.Errorf("refused attempt with count %d", a.Count)
		}
		g.Refused = append(g.Refused, a)
		return nil
	}
	var node Node
	if n, _ := fmt.Sscanf(line, "%d [support=%d,", &id, &node.Support); n == 2 {
		_, rest, _ = strings.Cut(line, "code=")
		code, err := strconv.Unquote(strings.TrimSuffix(rest, "];"))
		if err != nil || id != len(g.Nodes) || len(g.Nodes) == MaxStates {
			return fmt.Errorf("%q is not node %d", line, len(g.Nodes))
		}
		node.Code = code
		g.Nodes = append(g.Nodes, node)
		return nil
	}
	return fmt.Errorf("%q is neither a node nor an edge", line)
}
