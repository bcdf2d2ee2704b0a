package learn

import (
	"bytes"

	"stripswm/models/bundle"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Locate finds the node of a bundle's task graph that each image of a recording
// shows, -1 for none, with the bundle's encoder. The recording must be loaded
// at the size of the bundle's images.
func Locate(b *bundle.Bundle, recording *Recording) ([]strips.StateID, error) {
	r := &run{Learner: Learner{Threads: 1}, result: &Result{Recording: recording}, parts: map[bundle.Role][]byte{}}
	for _, role := range []bundle.Role{bundle.Graph, bundle.Encoder, TrainingRole} {
		data, err := b.Read(role)
		if err != nil {
			return nil, err
		}
		r.parts[role] = data
	}
	var err error
	if r.result.Graph, err = taskgraph.ReadJSON(bytes.NewReader(r.parts[bundle.Graph])); err != nil {
		return nil, err
	}
	if err := r.recode(); err != nil {
		return nil, err
	}
	return r.result.Nodes, nil
}
