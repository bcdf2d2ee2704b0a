package taskgraph

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

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
	branching := map[Pair]bool{}
	for _, b := range g.Nondeterministic() {
		branching[Pair{b.Source, b.Action}] = true
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
		if branching[Pair{e.Source, e.Action}] {
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

// The lines that WriteDOT writes between the first and the last.
var (
	dotStyle   = regexp.MustCompile(`^node \[.*\];$`)
	dotAction  = regexp.MustCompile(`^// action (\d+) (".*")$`)
	dotNode    = regexp.MustCompile(`^(\d+) \[support=(\d+), code=("(?:[^"\\]|\\.)*")(?:, aliases=("(?:[^"\\]|\\.)*"))?\];$`)
	dotEdge    = regexp.MustCompile(`^(\d+) -> (\d+) \[action=(\d+), support=(\d+), label=("(?:[^"\\]|\\.)*"), penwidth=[0-9.]+(?:, color=red)?\];$`)
	dotRefused = regexp.MustCompile(`^(\d+) -> (\d+) \[refused=(\d+), count=(\d+), label=("(?:[^"\\]|\\.)*"), style=dashed\];$`)
)

// ReadDOT reads what WriteDOT wrote, from its first line to its last; it is no
// reader of Graphviz in general.
func ReadDOT(r io.Reader) (*Graph, error) {
	d := dotReader{graph: &Graph{}, next: (*dotReader).head}
	lines := bufio.NewScanner(io.LimitReader(r, MaxBytes))
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		if err := d.next(&d, line); err != nil {
			return nil, fmt.Errorf("graphviz: line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("graphviz: line %d: %w", n+1, err)
	}
	if !d.ended {
		return nil,
			fmt.Errorf("graphviz: line %d: the file ends before the graph does, whose last line is %q", n+1,
				dotEnd)
	}
	d.graph.canonical()
	if err := d.graph.Validate(); err != nil {
		return nil, err
	}
	return d.graph, nil
}

type dotReader struct {
	graph *Graph
	next  func(*dotReader, string) error // reads the next line
	ended bool
}

func (d *dotReader) head(line string) error {
	if line != dotHead {
		return fmt.Errorf(
			"%.80q is not the first line of a task graph, %q: the file is of another program", line, dotHead)
	}
	d.next = (*dotReader).body
	return nil
}

func (d *dotReader) body(line string) error {
	if line == dotEnd {
		d.next, d.ended = (*dotReader).tail, true
		return nil
	}
	if dotStyle.MatchString(line) {
		return nil
	}
	for _, kind := range []struct {
		shape *regexp.Regexp
		take  func(*Graph, []string) error
	}{{dotAction, (*Graph).takeAction}, {dotNode, (*Graph).takeNode}, {dotEdge, (*Graph).takeEdge},
		{dotRefused, (*Graph).takeRefused}} {
		if words := kind.shape.FindStringSubmatch(line); words != nil {
			return kind.take(d.graph, words[1:])
		}
	}
	return fmt.Errorf("%.80q is no action, node or edge of a task graph", line)
}

func (d *dotReader) tail(line string) error {
	return fmt.Errorf("%.80q after the end of the graph", line)
}

func (g *Graph) takeAction(words []string) error {
	label, err := strconv.Unquote(words[1])
	if err != nil || words[0] != strconv.Itoa(len(g.Labels)+1) || len(g.Labels) == MaxActions {
		return fmt.Errorf("action %s %s: want action %d of at most %d", words[0], words[1],
			len(g.Labels)+1, MaxActions)
	}
	g.Labels = append(g.Labels, label)
	return nil
}

func (g *Graph) takeNode(words []string) error {
	n, err := numbers(words[:2])
	if err != nil {
		return fmt.Errorf("node: %w", err)
	}
	if n[0] != len(g.Nodes) || len(g.Nodes) == MaxStates {
		return fmt.Errorf("node %d: want node %d of at most %d", n[0], len(g.Nodes), MaxStates)
	}
	node := Node{Support: n[1]}
	if node.Code, err = strconv.Unquote(words[2]); err == nil && words[3] != "" {
		var list string
		if list, err = strconv.Unquote(words[3]); err == nil {
			err = json.Unmarshal([]byte(list), &node.Aliases)
		}
	}
	if err != nil {
		return fmt.Errorf("node %d: code: %w", n[0], err)
	}
	g.Nodes = append(g.Nodes, node)
	return nil
}

func (g *Graph) takeEdge(words []string) error {
	n, err := numbers(words[:4])
	if err == nil {
		err = g.labelled(n[2], words[4])
	}
	if err == nil && (n[3] < 1 || len(g.Edges) == MaxEdges) {
		err = fmt.Errorf("support %d, or more than %d edges", n[3], MaxEdges)
	}
	if err != nil {
		return fmt.Errorf("edge: %w", err)
	}
	g.Edges = append(g.Edges, Edge{strips.StateID(n[0]), strips.ActionID(n[2]), strips.StateID(n[1]),
		n[3]})
	return nil
}

func (g *Graph) takeRefused(words []string) error {
	n, err := numbers(words[:4])
	if err == nil {
		err = g.labelled(n[2], words[4])
	}
	if err == nil && (n[3] < 1 || n[0] != n[1]) {
		err = fmt.Errorf("count %d from node %d to %d, want a loop that was seen", n[3], n[0], n[1])
	}
	if err != nil {
		return fmt.Errorf("refused attempt: %w", err)
	}
	g.Refused = append(g.Refused, Refusal{strips.StateID(n[0]), strips.ActionID(n[2]), n[3]})
	return nil
}

// labelled checks that a line names the action that it numbers.
func (g *Graph) labelled(action int, quoted string) error {
	label, err := strconv.Unquote(quoted)
	if err != nil {
		return fmt.Errorf("label %s: %w", quoted, err)
	}
	if action < 1 || action > len(g.Labels) || g.Labels[action-1] != label {
		return fmt.Errorf("action %d is not declared as %s", action, quoted)
	}
	return nil
}

// numbers reads words of digits.
func numbers(words []string) ([]int, error) {
	list := make([]int, len(words))
	for i, word := range words {
		var err error
		if list[i], err = strconv.Atoi(word); err != nil {
			return nil, errors.Unwrap(err)
		}
	}
	return list, nil
}
