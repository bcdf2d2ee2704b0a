package taskgraph

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"stripswm/internal/files"
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
	if err := errors.Join(writeList(out, "nodes", g.Nodes), writeList(out, "edges", g.Edges),
		writeList(out, "refused", g.Refused)); err != nil {
		return fmt.Errorf("task graph: %w", err)
	}
	fmt.Fprint(out, "\n}\n")
	return out.Flush()
}

func writeList[T any](out *bufio.Writer, key string, items []T) error {
	fmt.Fprintf(out, ",\n %q: [", key)
	for i, item := range items {
		data, err := json.Marshal(item)
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
	g := &Graph{}
	if err := json.Unmarshal(data, g); err != nil {
		return nil, fmt.Errorf("task graph: byte %d of %d: %w", jsonOffset(err), len(data), err)
	}
	if g.Labels == nil || g.Nodes == nil || g.Edges == nil {
		return nil,
			errors.New(
				"task graph: want an object with labels, nodes and edges: the file is of another program or " +
					"version")
	}
	if len(g.Labels) > MaxActions || len(g.Nodes) > MaxStates || len(g.Edges) > MaxEdges {
		return nil, fmt.Errorf("task graph: %d actions, %d nodes, %d edges, want at most %d, %d, %d",
			len(g.Labels), len(g.Nodes), len(g.Edges), MaxActions, MaxStates, MaxEdges)
	}
	for i, e := range g.Edges {
		if e.Support < 1 {
			return nil, fmt.Errorf("task graph: edge %d: support %d, want at least 1", i, e.Support)
		}
	}
	for i, a := range g.Refused {
		if a.Count < 1 {
			return nil, fmt.Errorf("task graph: refused attempt %d: count %d, want at least 1", i, a.Count)
		}
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
