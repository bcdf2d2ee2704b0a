package taskgraph

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"stripswm/internal/files"
	"stripswm/models/strips"
)

// maxFile bounds a graph file, in bytes.
const maxFile = 1 << 30

// ReadFile reads a graph in the format that the file's name ends in: .dfa, .json
// or .dot.
func ReadFile(path string) (*Graph, error) {
	f, err := files.Open(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("task graph: %w", err)
	}
	defer f.Close()
	var g *Graph
	switch filepath.Ext(path) {
	case ".dfa":
		g, err = ReadDFA(f)
	case ".json":
		g, err = ReadJSON(f)
	case ".dot", ".gv":
		g, err = ReadDOT(f)
	default:
		return nil, fmt.Errorf("task graph: %s: want a name that ends in .dfa, .json or .dot", path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}

type graphJSON struct {
	Labels  []string      `json:"labels"`
	Nodes   []nodeJSON    `json:"nodes"`
	Edges   []Edge        `json:"edges"`
	Refused []attemptJSON `json:"refused"`
}

type nodeJSON struct {
	Support int      `json:"support"`
	Code    string   `json:"code,omitempty"`
	Aliases []string `json:"aliases,omitempty"`
}

type attemptJSON struct {
	State  strips.StateID  `json:"state"`
	Action strips.ActionID `json:"action"`
	Count  int             `json:"count"`
}

// WriteJSON writes the graph with everything it knows, a node or an edge a line.
func (g *Graph) WriteJSON(w io.Writer) error {
	if err := g.Validate(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	labels, err := json.Marshal(append([]string{}, g.Labels...))
	if err != nil {
		return fmt.Errorf("task graph: %w", err)
	}
	fmt.Fprintf(out, "{\n \"labels\": %s", labels)
	err = writeList(out, "nodes", g.Nodes, func(n Node) any { return nodeJSON(n) })
	if err == nil {
		err = writeList(out, "edges", g.Edges, func(e Edge) any { return e })
	}
	if err == nil {
		err = writeList(out, "refused", g.Refused, func(r Refusal) any { return attemptJSON(r) })
	}
	if err != nil {
		return fmt.Errorf("task graph: %w", err)
	}
	fmt.Fprint(out, "\n}\n")
	return out.Flush()
}

func writeList[T any](out *bufio.Writer, key string, items []T, shape func(T) any) error {
	fmt.Fprintf(out, ",\n %q: [", key)
	for i, item := range items {
		data, err := json.Marshal(shape(item))
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(out, "\n  %s", data)
	}
	_, err := out.WriteString("]")
	return err
}

// ReadJSON reads what WriteJSON wrote. Edges may come in any order; repeated
// ones add up.
func ReadJSON(r io.Reader) (*Graph, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("task graph: %w", err)
	}
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("task graph: larger than %d bytes", MaxBytes)
	}
	var in graphJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("task graph: byte %d of %d: %w", jsonOffset(err), len(data), err)
	}
	if in.Labels == nil || in.Nodes == nil || in.Edges == nil {
		return nil,
			errors.New(
				"task graph: want an object with labels, nodes and edges: the file is of another program or " +
					"version")
	}
	if len(in.Labels) > MaxActions || len(in.Nodes) > MaxStates || len(in.Edges) > MaxEdges {
		return nil, fmt.Errorf("task graph: %d actions, %d nodes, %d edges, want at most %d, %d, %d",
			len(in.Labels), len(in.Nodes), len(in.Edges), MaxActions, MaxStates, MaxEdges)
	}
	g := &Graph{Labels: in.Labels}
	for _, n := range in.Nodes {
		g.Nodes = append(g.Nodes, Node(n))
	}
	for i, e := range in.Edges {
		if e.Support < 1 {
			return nil, fmt.Errorf("task graph: edge %d: support %d, want at least 1", i, e.Support)
		}
		g.Edges = append(g.Edges, e)
	}
	for i, a := range in.Refused {
		if a.Count < 1 {
			return nil, fmt.Errorf("task graph: refused attempt %d: count %d, want at least 1", i, a.Count)
		}
		g.Refused = append(g.Refused, Refusal(a))
	}
	g.canonical()
	if err := g.Validate(); err != nil {
		return nil, err
	}
	return g, nil
}

// jsonOffset is where a decoder met its error, 0 if it does not say.
func jsonOffset(err error) int64 {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return syntax.Offset
	case errors.As(err, &kind):
		return kind.Offset
	}
	return 0
}
