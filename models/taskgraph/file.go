package taskgraph

import (
	"fmt"
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
