package networks

import (
	"context"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/inference"
)

// Task is what an engine trains.
type Task struct {
	Backbone Backbone
	Outputs  int     // of the backbone
	Layout   *Layout // of all weights, the backbone's first
	Optimizer
	Views   int            // images an example
	Batch   int            // examples
	Teacher bool           // encodes the second view, with weights that follow the student's
	EMA     float64        // share of itself that the teacher keeps in a step
	Extra   []shapes.Shape // of Inputs.Extra
	Rates   int            // numbers that a step takes: Optimizer.Rates and what Loss needs
	Metrics []string       // names of the numbers that a step returns
	// Loss builds the loss from the outputs h [views*batch, outputs], those of the teacher [batch,
	// outputs] or nil, the rates beyond the optimiser's, and the extra inputs. It returns the
	// derivative by h and the metrics, scalars, and adds the derivatives by the weights beyond the
	// backbone's to d.
	Loss func(d *Gradients, h, teacher, shares *g.Node, extra []*g.Node) (dh *g.Node,
		metrics []*g.Node)
	// LossThreads is how many threads compute the loss on the processor; 0 means 1.
	LossThreads int
}

// parts is the number of flat vectors that training carries from step to step.
func (t Task) parts() int {
	if t.Teacher {
		return stateTeacher + 1
	}
	return stateTeacher
}

// State is what training carries from step to step, flat vectors of a layout. Checkpoints keep
// them in this order.
type State [][]float32

const (
	stateWeights      = iota
	stateFirstMoment  // of the gradients, for AdamW
	stateSecondMoment // of the gradients, for AdamW
	stateTeacher      // only where a Task has a teacher
)

// Weights are those that are trained.
func (s State) Weights() []float32 { return s[stateWeights] }

// Teacher is the teacher's weights, which follow the others; nil where there is none.
func (s State) Teacher() []float32 {
	if len(s) <= stateTeacher {
		return nil
	}
	return s[stateTeacher]
}

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
