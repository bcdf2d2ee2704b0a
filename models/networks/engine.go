package networks

import (
	"context"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"

	"stripswm/models/inference"
)

// Engine makes training steps: of stage 1, where a teacher follows the weights, and of stage 3,
// which has none.
type Engine interface {
	// State may be read and written between steps.
	State() State
	// Step makes a step on a batch and returns the metrics, valid until the next step. rates are
	// Optimizer.Rates and the weights that the loss takes.
	Step(rates []float32, b Inputs) ([]float32, error)
	Close()
}

// NewEngine starts with weights drawn by seed and stream. It uses our own kernels where they
// support the backbone and the device, else a graph of GoMLX.
func NewEngine(t Task, seed uint64, stream uint64, o inference.Options) (Engine, error) {
	var e Engine
	var err error
	if net, ok := t.Backbone.(Isotropic); ok && onCPU(o) {
		e, err = newCPUEngine(t, net, o)
	} else {
		e, err = newGraphEngine(t, o)
	}
	if err != nil {
		return nil, err
	}
	state := e.State()
	copy(state.Weights(), t.Layout.Initial(rand.New(rand.NewPCG(seed, stream))))
	copy(state.Teacher(), state.Weights())
	return e, nil
}

func onCPU(o inference.Options) bool { return o.Device == "" || o.Device == inference.CPU }

// Encoder applies a backbone to many images.
type Encoder interface {
	// Encode returns the outputs [n*outputs] of n images, which are packed [n, size, size, 3].
	Encode(ctx context.Context, weights []float32, images []uint8) ([]float32, error)
	Close()
}

// NewEncoder makes an encoder for weights of the layout, the backbone's first.
func NewEncoder(b Backbone, l *Layout, outputs int, o inference.Options) (Encoder, error) {
	if net, ok := b.(Isotropic); ok && onCPU(o) {
		return &cpuEncoder{newCPUNetwork(net, outputs, o.Threads)}, nil
	}
	return newGraphEncoder(b, l, outputs, o)
}

// flat is the shape of numbers.
func flat(n int) shapes.Shape { return shapes.Make(dtypes.Float32, n) }
