package vision

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/inference"
)

// Export returns the encoder as an ONNX network: images in, latents [n, size] without noise out.
func (l *LearnedAutoencoder) Export() ([]byte, error) {
	a, own := l.Autoencoder, &layout{}
	a.Backbone.declare(own, a.Latent.outputs())
	return exportNetwork(a.Backbone, own, l.Weights, a.Latent.final)
}

// ExportDecoder returns the decoder as an ONNX network: latents [n, size] in, images
// [n, side, side, 3] of values from 0 to 255 out (inference.Decoder).
func (l *LearnedAutoencoder) ExportDecoder() ([]byte, error) {
	a, own := l.Autoencoder, &layout{}
	a.Decoder.declare(own, a.Latent.size())
	weights := l.Weights[len(l.Weights)-own.total:]
	model, err := exportBatch(func(latents *g.Node) *g.Node {
		y, _ := a.Decoder.apply(own.constants(latents.Graph(), weights), latents)
		return a.Decoder.images(y)
	}, shapes.Make(dtypes.Float32, exportRows, a.Latent.size()), inference.CodeName)
	if err != nil {
		return nil, fmt.Errorf("export decoder: %w", err)
	}
	return model, nil
}
