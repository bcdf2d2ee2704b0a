package vision

import (
	"context"
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/dataset"
	"stripswm/models/inference"
	"stripswm/models/networks"
)

// Export returns the teacher as an ONNX network: images in, latents [n, dims]
// in level units out, bounded but not rounded (see FSQ.Code).
func (l *Learned) Export() ([]byte, error) {
	layout := &networks.Layout{}
	l.Model.Backbone.Declare(layout, l.Model.FSQ.Dims)
	return networks.ExportNetwork(l.Model.Backbone, layout, l.Teacher, l.Model.FSQ.bound)
}

// ExportDynamics returns the learned dynamics as an ONNX network: a code [1, dims]
// in level units in, its predicted successor under each action [L, dims] out, not
// yet rounded.
func (l *Learned) ExportDynamics() ([]byte, error) {
	whole, own := l.Model.layout(), &networks.Layout{}
	head := l.Model.dynamics()
	head.declare(own)
	from := whole.Offset(head.names()[0])
	model, err := networks.BuildONNX(func(in []*g.Node) []*g.Node {
		actions := g.OneHot(g.Iota(in[0].Graph(), shapes.Make(dtypes.Int32, l.Model.Actions), 0),
			l.Model.Actions, dtypes.Float32)
		code := g.BroadcastToDims(in[0], l.Model.Actions, l.Model.FSQ.Dims)
		w := own.Constants(in[0].Graph(), l.Teacher[from:from+own.Count()])
		return []*g.Node{head.apply(w, g.Concatenate([]*g.Node{code, actions}, 1))}
	}, []shapes.Shape{shapes.Make(dtypes.Float32, 1, l.Model.FSQ.Dims)},
		[]string{inference.CodeName}, []string{inference.OutputName})
	if err != nil {
		return nil, fmt.Errorf("export dynamics: %w", err)
	}
	return model, nil
}

// Export returns the classifier as an ONNX network: images in, probabilities
// [n, m] out.
func (l *LearnedClassifier) Export() ([]byte, error) {
	return networks.ExportNetwork(l.Classifier.Backbone, l.Classifier.layout(), l.Weights,
		g.Sigmoid)
}

// Difference compares an exported network with the trainer's on the first
// images of the data and returns the largest absolute difference of an output.
// The network runs on one image at a time and on several.
func (l *Learned) Difference(ctx context.Context, exported []byte, d *dataset.Dataset) (float64,
	error) {
	return difference(ctx, exported, d, l.Model.Backbone, l.Model.layout(), l.Teacher,
		l.Model.FSQ.Dims, l.Model.FSQ.boundAll)
}

// Difference is the same for the classifier.
func (l *LearnedClassifier) Difference(ctx context.Context, exported []byte,
	d *dataset.Dataset) (float64, error) {
	return difference(ctx, exported, d, l.Classifier.Backbone, l.Classifier.layout(), l.Weights,
		l.Classifier.Predicates, func(logits []float32) {
			for i, z := range logits {
				logits[i] = float32(1 / (1 + math.Exp(-float64(z))))
			}
		})
}

// comparedImages is how many images Difference compares at most.
const comparedImages = 128

func difference(ctx context.Context, exported []byte, d *dataset.Dataset, b networks.Backbone,
	l *networks.Layout, weights []float32, outputs int, final func([]float32)) (float64, error) {
	n := min(d.Images(), comparedImages)
	e, err := networks.NewEncoder(b, l, outputs, inference.Options{})
	if err != nil {
		return 0, fmt.Errorf("compare export: %w", err)
	}
	defer e.Close()
	want, err := e.Encode(ctx, weights, d.Packed(0, n))
	if err != nil {
		return 0, fmt.Errorf("compare export: %w", err)
	}
	final(want)
	network, err := inference.Open(exported, inference.Options{})
	if err != nil {
		return 0, fmt.Errorf("compare export: %w", err)
	}
	defer network.Close()
	worst := 0.0
	for _, span := range [][2]int{{0, 1}, {1, min(2, n)}, {0, n}} {
		if span[0] == span[1] {
			continue
		}
		got, err := network.Run(d.Packed(span[0], span[1]))
		if err != nil {
			return 0, fmt.Errorf("compare export: %w", err)
		}
		for i, v := range got {
			worst = max(worst, math.Abs(float64(v-want[span[0]*outputs+i])))
		}
	}
	return worst, nil
}
