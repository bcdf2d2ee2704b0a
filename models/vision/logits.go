package vision

import (
	"context"

	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/networks"
)

// Logits returns the log-odds [n*m] of the predicates in n images, packed [n, size, size, 3].
func (l *LearnedClassifier) Logits(ctx context.Context, images []uint8, o Options) ([]float32,
	error) {
	e, err := networks.NewEncoder(l.Classifier.Backbone, l.Classifier.layout(),
		l.Classifier.Predicates, o.session())
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.Encode(ctx, l.Weights, images)
}

// ExportLogits returns the classifier as an ONNX network: images in, log-odds [n, m] out.
func (l *LearnedClassifier) ExportLogits() ([]byte, error) {
	return networks.ExportNetwork(l.Classifier.Backbone, l.Classifier.layout(), l.Weights,
		func(logits *g.Node) *g.Node { return logits })
}
