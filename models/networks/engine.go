package networks

import (
	"context"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
)

// Engine makes training steps: of stage 1, whose teacher follows the weights, and of
// stage 3, which has none.
type Engine interface {
	// State is the weights, the moments of their gradients and, in stage 1, the teacher's
	// weights, flat; to be read and written between steps.
	State() State
	// Step makes a step on a batch and returns the metrics, valid until the next; rates are
	// Optimizer.rates and what else the loss weighs its terms with.
	Step(rates []float32, b Inputs) ([]float32, error)
	Close()
}

// Inputs are what a step reads of the data: the images of each view [batch, size,
// size, 3], and what the loss takes besides.
type Inputs struct {
	Images []*ort.Tensor[uint8]
	Extra  []ort.Value
}

// Task is what an engine trains.
type Task struct {
	Backbone Backbone
	Outputs  int
	Layout   *Layout // of all weights, the backbone's first
	Optimizer
	Views   int     // images an example
	Batch   int     // examples
	Teacher bool    // encodes the last of the first two views, with weights that follow
	EMA     float64 // what the teacher's weights keep of themselves
	Extra   []shapes.Shape
	Rates   int // numbers
	Metrics int
	// Loss is the loss: of the outputs [views*batch, outputs], those of the teacher [batch,
	// Outputs] or nil, and the rates beyond the optimiser's. It returns the derivative by the
	// Outputs and the metrics, scalars, and adds those by the weights beyond the backbone's to d.
	Loss        func(d *Gradients, h, teacher, shares *g.Node, rest []*g.Node) (dh *g.Node, metrics []*g.Node)
	LossThreads int // threads that judge is worth on the processor; 0 means 1
}

// parts is the number of flat vectors that training carries from step to step.
func (t Task) parts() int {
	if t.Teacher {
		return stateTeacher + 1
	}
	return stateTeacher
}

// NewEngine chooses our own kernels where they can do it, and GoMLX's graph where not: for
// other backbones, and on other devices.
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

func onCPU(o inference.Options) bool { return o.Provider == "" || o.Provider == inference.CPU }

// Encoder applies a backbone to many images.
type Encoder interface {
	// Encode returns the outputs [n*outputs] of n images, which are packed [n, size, size, 3].
	Encode(ctx context.Context, weights []float32, images []uint8) ([]float32, error)
	Close()
}

// NewEncoder makes one for weights of the layout, the backbone's first.
func NewEncoder(b Backbone, l *Layout, outputs int, o inference.Options) (Encoder, error) {
	if net, ok := b.(Isotropic); ok && onCPU(o) {
		return &cpuEncoder{newCPUNetwork(net, outputs, o.Threads)}, nil
	}
	return newGraphEncoder(b, l, outputs, o)
}

// flat is the shape of numbers.
func flat(n int) shapes.Shape { return shapes.Make(dtypes.Float32, n) }
