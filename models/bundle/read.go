package bundle

import (
	"bytes"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// TaskGraph reads the bundle's task graph.
func (b *Bundle) TaskGraph() (*taskgraph.Graph, error) {
	data, err := b.Read(Graph)
	if err != nil {
		return nil, err
	}
	g, err := taskgraph.ReadJSON(bytes.NewReader(data))
	if err != nil {
		return nil, b.Unusable(Graph, err)
	}
	return g, nil
}

// Operators reads the bundle's operator model.
func (b *Bundle) Operators() (*strips.Model, error) {
	data, err := b.Read(Model)
	if err != nil {
		return nil, err
	}
	m, err := strips.ReadJSON(bytes.NewReader(data))
	if err != nil {
		return nil, b.Unusable(Model, err)
	}
	return m, nil
}
