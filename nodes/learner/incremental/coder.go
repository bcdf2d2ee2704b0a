package incremental

import (
	"encoding/json"
	"errors"
	"fmt"

	"stripswm/models/bundle"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/vision"
	"stripswm/nodes/learner/pipeline"
)

// Coder gives pictures the codes of a bundle's encoder. It is not safe for
// concurrent use.
type Coder struct {
	Actions int // L, of the bundle's task graph

	network *inference.Network
	fsq     vision.FSQ
}

// OpenCoder opens the encoder of a bundle.
func OpenCoder(dir string, o inference.Options) (*Coder, error) {
	b, err := bundle.Open(dir)
	if err != nil {
		return nil, err
	}
	data, err := b.Read(pipeline.TrainingRole)
	if err != nil {
		return nil, err
	}
	var training pipeline.Training
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
	if network.Outputs != training.FSQ.Dims {
		err := fmt.Errorf("bundle %s: the encoder has %d outputs, its training says %d", dir, network.Outputs, training.FSQ.Dims)
		return nil, errors.Join(err, network.Close())
	}
	c := &Coder{network: network, fsq: training.FSQ}
	if part, ok := b.Part(bundle.Graph); ok {
		c.Actions = int(part.Facts[bundle.Actions])
	}
	return c, nil
}

// Code is the picture's code.
func (c *Coder) Code(picture pixels.RGB) (string, error) {
	small, err := picture.Square(c.network.Width)
	if err != nil {
		return "", err
	}
	latent, err := c.network.Run(small.Pix)
	if err != nil {
		return "", err
	}
	return string(c.fsq.Code(latent)), nil
}

// Close frees the encoder.
func (c *Coder) Close() error { return c.network.Close() }
