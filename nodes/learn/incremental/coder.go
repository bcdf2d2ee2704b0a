package incremental

import (
	"encoding/json"
	"errors"
	"fmt"

	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/vision"
	"stripswm/nodes/learn"
)

// Coder gives pictures the codes of a bundle's encoder. It is not safe for
// concurrent use.
type Coder struct {
	Actions int // L, of the bundle's task graph

	vision.Coder
}

// OpenCoder opens the encoder of a bundle.
func OpenCoder(dir string, o inference.Options) (*Coder, error) {
	b, err := bundle.Open(dir)
	if err != nil {
		return nil, err
	}
	data, err := b.Read(learn.TrainingRole)
	if err != nil {
		return nil, err
	}
	var training learn.Training
	if err := json.Unmarshal(data, &training); err != nil {
		return nil, fmt.Errorf("bundle %s: %w", dir, err)
	}
	path, err := b.Path(bundle.Encoder)
	if err != nil {
		return nil, err
	}
	network, err := inference.OpenFile(path, o)
	if err != nil {
		return nil, err
	}
	coder, err := vision.NewCoder(network, training.FSQ)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("bundle %s: %w", dir, err), network.Close())
	}
	c := &Coder{Coder: coder}
	if part, ok := b.Part(bundle.Graph); ok {
		c.Actions = int(part.Facts[bundle.Actions])
	}
	return c, nil
}
