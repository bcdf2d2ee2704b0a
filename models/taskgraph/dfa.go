package taskgraph

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"stripswm/models/strips"
)

// Bounds on what the readers accept, so that a malformed file cannot ask for
// unlimited memory.
const (
	MaxStates  = 1 << 22
	MaxActions = 1 << 16
	MaxEdges   = 1 << 24
	MaxBytes   = 1 << 30
	maxLine    = 1 << 26
)

// ReadDFA reads the text format of bonetblai/learner-strips: "dfa N -1"; L and
// the L labels; a line of initial nodes, which is checked and ignored; then one
// line a node, its number of edges and for each its label and target. The format
// has no counts: each mention of an edge is one observation, and a node is
// supported by the edges it is on.
func ReadDFA(r io.Reader) (*Graph, error) {
	d := dfaReader{lines: bufio.NewScanner(io.LimitReader(r, MaxBytes))}
	d.lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	d.lines.Split(d.split)
	g, err := d.read()
	if err != nil {
		return nil, fmt.Errorf("dfa: line %d: %w", d.line, err)
	}
	return g, nil
}

type dfaReader struct {
	lines *bufio.Scanner
	line  int
	open  bool // the last line has no end
}

// split is bufio.ScanLines, and notes whether the last line is whole.
func (d *dfaReader) split(data []byte, atEOF bool) (int, []byte, error) {
	d.open = atEOF && len(data) > 0 && bytes.IndexByte(data, '\n') < 0
	return bufio.ScanLines(data, atEOF)
}

func (d *dfaReader) read() (*Graph, error) {
	head, err := d.fields()
	if err != nil {
		return nil, err
	}
	if len(head) != 3 || head[0] != "dfa" || head[2] != "-1" {
		return nil, fmt.Errorf("header is %q, want \"dfa N -1\"", strings.Join(head, " "))
	}
	states, err := number(head[1], MaxStates)
	if err != nil {
		return nil, fmt.Errorf("number of nodes: %w", err)
	}
	labels, err := d.counted(MaxActions)
	if err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	ids := map[string]strips.ActionID{}
	for i, label := range labels {
		if _, taken := ids[label]; taken {
			return nil, fmt.Errorf("label %q is repeated", label)
		}
		ids[label] = strips.ActionID(i + 1)
	}
	initial, err := d.counted(states)
	if err != nil {
		return nil, fmt.Errorf("initial nodes: %w", err)
	}
	for _, field := range initial {
		if _, err := number(field, states-1); err != nil {
			return nil, fmt.Errorf("initial node: %w", err)
		}
	}
	g := &Graph{Labels: append([]string(nil), labels...), Nodes: []Node{}}
	for s := range states {
		fields, err := d.fields()
		if err != nil {
			return nil, fmt.Errorf("node %d of %d: %w", s, states, err)
		}
		n, err := number(fields[0], MaxEdges)
		if err != nil {
			return nil, fmt.Errorf("node %d: number of edges: %w", s, err)
		}
		if len(fields) != 1+2*n {
			return nil, fmt.Errorf("node %d: %d fields after the number of edges, want %d for %d edges", s,
				len(fields)-1, 2*n, n)
		}
		if n > 0 && d.open {
			return nil,
				fmt.Errorf("node %d: the line has no end: the file is cut off, or lacks its last line break", s)
		}
		if len(g.Edges)+n > MaxEdges {
			return nil, fmt.Errorf("node %d: more than %d edges", s, MaxEdges)
		}
		g.Nodes = append(g.Nodes, Node{})
		for i := 1; i < len(fields); i += 2 {
			a, ok := ids[fields[i]]
			if !ok {
				return nil, fmt.Errorf("node %d: label %q is not declared", s, fields[i])
			}
			target, err := number(fields[i+1], states-1)
			if err != nil {
				return nil, fmt.Errorf("node %d: target of %s: %w", s, fields[i], err)
			}
			g.Edges = append(g.Edges, Edge{strips.StateID(s), a, strips.StateID(target), 1})
		}
	}
	if extra, err := d.fields(); !errors.Is(err, io.ErrUnexpectedEOF) {
		if err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%q after the last node", strings.Join(extra, " "))
	}
	g.canonical()
	for _, e := range g.Edges {
		g.Nodes[e.Source].Support += e.Support
		g.Nodes[e.Target].Support += e.Support
	}
	return g, nil
}

// fields returns the words of the next line that has any.
func (d *dfaReader) fields() ([]string, error) {
	for d.lines.Scan() {
		d.line++
		if words := strings.Fields(d.lines.Text()); len(words) > 0 {
			return words, nil
		}
	}
	if err := d.lines.Err(); err != nil {
		return nil, err
	}
	return nil, io.ErrUnexpectedEOF
}

// counted returns the words of a line "n w1 .. wn".
func (d *dfaReader) counted(limit int) ([]string, error) {
	words, err := d.fields()
	if err != nil {
		return nil, err
	}
	n, err := number(words[0], limit)
	if err != nil {
		return nil, err
	}
	if len(words) != n+1 {
		return nil, fmt.Errorf("%d words, want %d", len(words)-1, n)
	}
	return words[1:], nil
}

// number reads an integer in 0..limit.
func number(field string, limit int) (int, error) {
	n, err := strconv.Atoi(field)
	if err != nil || n < 0 || n > limit {
		return 0, fmt.Errorf("%q is not a number in 0..%d", field, limit)
	}
	return n, nil
}

// WriteDFA writes the graph as .dfa text. Support counts, latent codes and
// refused attempts have no place there; labels must not contain white space.
func (g *Graph) WriteDFA(w io.Writer) error {
	if err := g.Validate(); err != nil {
		return err
	}
	for i, label := range g.Labels {
		if len(strings.Fields(label)) != 1 || strings.TrimSpace(label) != label {
			return fmt.Errorf("dfa: action %d: label %q is empty or has white space", i+1, label)
		}
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "dfa %d -1\n%d", len(g.Nodes), len(g.Labels))
	for _, label := range g.Labels {
		fmt.Fprintf(out, " %s", label)
	}
	if len(g.Nodes) == 0 {
		fmt.Fprint(out, "\n0\n")
	} else {
		fmt.Fprint(out, "\n1 0\n")
	}
	i := 0
	for s := range g.Nodes {
		from := i
		for i < len(g.Edges) && int(g.Edges[i].Source) == s {
			i++
		}
		fmt.Fprintf(out, "%d", i-from)
		for _, e := range g.Edges[from:i] {
			fmt.Fprintf(out, " %s %d", g.Labels[e.Action-1], e.Target)
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}
