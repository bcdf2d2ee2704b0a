package vision

import (
	"context"

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
