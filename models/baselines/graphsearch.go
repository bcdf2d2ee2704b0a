package baselines

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
)

// ErrUnrecognized is returned, wrapped, by Plan where a picture's code is that
// of no node; the result still holds both sights.
var ErrUnrecognized = errors.New("picture not recognised")

// GraphSearch plans on a task graph. It is not safe for concurrent use.
type GraphSearch struct {
	vision.Coder
	graph *taskgraph.Graph
	nodes map[string]strips.StateID
}

// OpenGraphSearch loads encoder and task graph of a bundle whose latent space is q.
func OpenGraphSearch(b *bundle.Bundle, q vision.FSQ, o inference.Options) (*GraphSearch, error) {
	data, err := b.Read(bundle.Graph)
	if err != nil {
		return nil, err
	}
	graph, err := taskgraph.ReadJSON(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", b.Dir, err)
	}
	encoder, err := openEncoder(b, o)
	if err != nil {
		return nil, err
	}
	s, err := NewGraphSearch(graph, encoder, q)
	if err != nil {
		encoder.Close()
		return nil, fmt.Errorf("bundle %s: %w", b.Dir, err)
	}
	return s, nil
}

func openEncoder(b *bundle.Bundle, o inference.Options) (*inference.Network, error) {
	path, err := b.Path(bundle.Encoder)
	if err != nil {
		return nil, err
	}
	return inference.OpenFile(path, o)
}

// NewGraphSearch searches a graph whose nodes have the codes that the encoder
// gives pictures in the latent space q, and takes the network over.
func NewGraphSearch(g *taskgraph.Graph, encoder *inference.Network, q vision.FSQ) (*GraphSearch, error) {
	c, err := vision.NewCoder(encoder, q)
	if err != nil {
		return nil, fmt.Errorf("graph search: %w", err)
	}
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("graph search: %w", err)
	}
	return &GraphSearch{Coder: c, graph: g, nodes: g.Codes()}, nil
}

// Sight is what a picture shows.
type Sight struct {
	Code vision.Code
	Node strips.StateID // -1 where no node has the code
}

// Known says whether the picture shows a node of the graph.
func (s Sight) Known() bool { return s.Node >= 0 }

// Recognize encodes a picture of any size.
func (s *GraphSearch) Recognize(picture pixels.RGB) (Sight, error) {
	code, err := s.Code(picture)
	if err != nil {
		return Sight{}, err
	}
	sight := Sight{Code: code, Node: -1}
	if node, ok := s.nodes[string(sight.Code)]; ok {
		sight.Node = node
	}
	return sight, nil
}

// Result is the answer to a query of two pictures.
type Result struct {
	Start, Goal Sight
	Found       bool
	Plan        []strips.ActionID // shortest in the graph, empty if start is goal
}

// Plan plans from one picture to another. It returns ErrUnrecognized, and the
// sights, where a picture shows no node.
func (s *GraphSearch) Plan(start, goal pixels.RGB) (Result, error) {
	var r Result
	var err error
	if r.Start, err = s.Recognize(start); err != nil {
		return r, fmt.Errorf("start: %w", err)
	}
	if r.Goal, err = s.Recognize(goal); err != nil {
		return r, fmt.Errorf("goal: %w", err)
	}
	if !r.Start.Known() {
		return r, fmt.Errorf("start: %w: no node has the code %s", ErrUnrecognized, r.Start.Code)
	}
	if !r.Goal.Known() {
		return r, fmt.Errorf("goal: %w: no node has the code %s", ErrUnrecognized, r.Goal.Code)
	}
	r.Plan, r.Found = s.path(r.Start.Node, r.Goal.Node)
	return r, nil
}

// path is a shortest path of edges, breadth first. Where an action was seen to
// lead to several nodes, each of these edges counts. Memory: an entry a node.
func (s *GraphSearch) path(from, to strips.StateID) ([]strips.ActionID, bool) {
	came := map[strips.StateID]taskgraph.Edge{}
	reached := map[strips.StateID]bool{from: true}
	for queue := []strips.StateID{from}; len(queue) > 0 && !reached[to]; queue = queue[1:] {
		for _, e := range s.graph.Out(queue[0]) {
			if !reached[e.Target] {
				reached[e.Target], came[e.Target] = true, e
				queue = append(queue, e.Target)
			}
		}
	}
	if !reached[to] {
		return nil, false
	}
	var plan []strips.ActionID
	for at := to; at != from; at = came[at].Source {
		plan = append(plan, came[at].Action)
	}
	slices.Reverse(plan)
	return plan, true
}
