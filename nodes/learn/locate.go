package learn

import (
	"context"

	"stripswm/models/bundle"
	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/inference"
	"stripswm/models/strips"
	"stripswm/models/vision"
)

// Locate finds the node of a bundle's task graph that each image of a recording
// shows, -1 for none, with the bundle's encoder. The recording may be another than
// the bundle was learned from; it must be loaded at the size of the bundle's images.
func Locate(ctx context.Context, b *bundle.Bundle, recording *Recording) ([]strips.StateID, error) {
	return locate(ctx, b, recording.Data, inference.Options{Threads: 1})
}

func locate(ctx context.Context, b *bundle.Bundle, d *dataset.Dataset,
	o inference.Options) ([]strips.StateID, error) {
	graph, err := b.TaskGraph()
	if err != nil {
		return nil, err
	}
	coder, err := vision.OpenCoder(b, o)
	if err != nil {
		return nil, err
	}
	defer coder.Close()
	codes, err := coder.Codes(ctx, d)
	if err != nil {
		return nil, err
	}
	return identity.NewLocator(graph).Nodes(d, codes), nil
}
