package autoencoder

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/inference"
	"stripswm/models/networks"
)

// Export returns the encoder as an ONNX network: images in, latents [n, size] without noise out.
func (l *Learned) Export() ([]byte, error) {
	a, own := l.Settings, &networks.Layout{}
	a.Backbone.Declare(own, a.Latent.outputs())
	return networks.ExportNetwork(a.Backbone, own, l.Weights, a.Latent.final)
}

// ExportDecoder returns the decoder as an ONNX network: latents [n, size] in, images
// [n, side, side, 3] of values from 0 to 255 out (inference.Decoder).
func (l *Learned) ExportDecoder() ([]byte, error) {
	a, own := l.Settings, &networks.Layout{}
	a.Decoder.declare(own, a.Latent.size())
	weights := l.Weights[len(l.Weights)-own.Count():]
	model, err := networks.ExportBatch(func(latents *g.Node) *g.Node {
		y, _ := a.Decoder.apply(own.Constants(latents.Graph(), weights), latents)
		return a.Decoder.images(y)
	}, inference.CodeName, dtypes.Float32, a.Latent.size())
	if err != nil {
		return nil, fmt.Errorf("export decoder: %w", err)
	}
	return model, nil
}
