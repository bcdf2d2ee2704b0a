package baselines

import (
	"context"
	"fmt"

	"stripswm/models/bundle"
	"stripswm/models/identity"
	"stripswm/models/inference"
	"stripswm/models/internal/paths"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
)

func init() {
	register(Baseline{ID: "graph-search", Name: "graph search",
		Needs: []bundle.Role{bundle.Encoder, bundle.Graph},
		Open: func(b *bundle.Bundle, o inference.Options) (Planner, error) {
			return OpenGraphSearch(b, o)
		}})
}

// GraphSearch plans on a task graph. It is not safe for concurrent use.
type GraphSearch struct {
	vision.Coder
	graph   *taskgraph.Graph
	locator *identity.Locator
}

// OpenGraphSearch loads encoder and task graph of a bundle.
func OpenGraphSearch(b *bundle.Bundle, o inference.Options) (*GraphSearch, error) {
	graph, err := b.TaskGraph()
	if err != nil {
		return nil, err
	}
	coder, err := vision.OpenCoder(b, o)
	if err != nil {
		return nil, err
	}
	return NewGraphSearch(graph, coder), nil
}

// NewGraphSearch searches a graph whose nodes have the codes that the coder gives
// images, and takes the coder over.
func NewGraphSearch(g *taskgraph.Graph, c vision.Coder) *GraphSearch {
	return &GraphSearch{Coder: c, graph: g, locator: identity.NewLocator(g)}
}

// Recognition is what an image shows.
type Recognition struct {
	Code identity.Code
	// Nodes are those with the code: none, or several where the encoder gives
	// several states one code, the one seen most often first.
	Nodes []strips.StateID
}

// Known says whether the image shows a node of the graph.
func (r Recognition) Known() bool { return len(r.Nodes) > 0 }

// Recognize encodes an image of any size.
func (s *GraphSearch) Recognize(image pixels.RGB) (Recognition, error) {
	code, err := s.Code(image)
	return Recognition{Code: code, Nodes: s.locator.Candidates(code)}, err
}

// Plan returns a shortest path between the nodes of two images, empty if they show the same, or
// ErrUnrecognized. Where an image may show several nodes, it takes the most frequent one that a
// path starts from, or ends at.
func (s *GraphSearch) Plan(_ context.Context, start, goal pixels.RGB) (plan []strips.ActionID,
	found bool, err error) {
	from, to, err := ends(func(image pixels.RGB) ([]strips.StateID, error) {
		r, err := s.Recognize(image)
		if err == nil && !r.Known() {
			err = fmt.Errorf("%w: no node has the code %s", ErrUnrecognized, r.Code)
		}
		return r.Nodes, err
	}, start, goal)
	if err != nil {
		return nil, false, err
	}
	for _, a := range from {
		for _, b := range to {
			if plan, found = s.path(a, b); found {
				return plan, true, nil
			}
		}
	}
	return nil, false, nil
}

// path is a shortest path of edges. Where an action was seen to lead to several nodes, each of
// these edges counts.
func (s *GraphSearch) path(from, to strips.StateID) ([]strips.ActionID, bool) {
	type reached = func(strips.ActionID, strips.StateID)
	return paths.Shortest(from, to, func(at strips.StateID, reach reached) {
		for _, e := range s.graph.Out(at) {
			reach(e.Action, e.Target)
		}
	})
}
