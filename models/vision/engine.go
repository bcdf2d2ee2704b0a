package vision

import (
	"context"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
)

// engine makes training steps: of stage 1, whose teacher follows the weights, and of
// stage 3, which has none.
type engine interface {
	// state is the weights, the static intervals of their gradients and, in stage 1, the teacher's
	// weights, flat; to be read and written between steps.
	state() [][]float32
	// step makes a step on a batch and returns the metrics, valid until the next; rates are
	// Optimizer.rates and what else the loss weighs its terms with.
	step(rates []float32, b inputTensors) ([]float32, error)
	close()
}

// inputTensors are what a step reads of the data: the images of each view [batch, size,
// size, 3], and what the loss takes besides.
type inputTensors struct {
	images []*ort.Tensor[uint8]
	rest   []ort.Value
}

// task is what an engine trains.
type task struct {
	backbone Backbone
	outputs  int
	layout   *layout // of all weights, the backbone's first
	Optimizer
	views   int     // images an example
	batch   int     // examples
	teacher bool    // encodes the last of the first two views, with weights that follow
	ema     float64 // what the teacher's weights keep of themselves
	rest    []shapes.Shape
	rates   int // numbers
	metrics int
	// evaluate is the loss: of the outputs [views*batch, outputs], those of the teacher [batch,
	// outputs] or nil, and the rates beyond the optimiser's. It returns the derivative by the
	// outputs and the metrics, scalars, and adds those by the weights beyond the backbone's to d.
	judge  func(d *gradients, h, teacher, shares *g.Node, rest []*g.Node) (dh *g.Node, metrics []*g.Node)
	judges int // threads that evaluate is worth on the processor; 0 means 1
}

// parts is the number of flat vectors that training carries from step to step.
func (t task) parts() int {
	if t.teacher {
		return 4
	}
	return 3
}

// newEngine chooses our own kernels where they can do it, and GoMLX's graph where not: for
// other backbones, and on other devices.
func newEngine(t task, seed uint64, stream uint64, o Options) (engine, error) {
	var e engine
	var err error
	if net, ok := t.backbone.(Isotropic); ok && o.onCPU() {
		e, err = newCPUEngine(t, net, o)
	} else {
		e, err = newGraphEngine(t, o)
	}
	if err != nil {
		return nil, err
	}
	state := e.state()
	copy(state[0], t.layout.initial(rand.New(rand.NewPCG(seed, stream))))
	if t.teacher {
		copy(state[3], state[0])
	}
	return e, nil
}

func (o Options) onCPU() bool { return o.Device == "" || o.Device == inference.CPU }

// encoder applies a backbone to many images.
type encoder interface {
	// encode returns the outputs of images 0 to n-1 of the data [n*outputs].
	encode(ctx context.Context, weights []float32, d *Dataset, n int) ([]float32, error)
	close()
}

// newEncoder makes one for weights of the layout, the backbone's first.
func newEncoder(b Backbone, l *layout, outputs int, o Options) (encoder, error) {
	if net, ok := b.(Isotropic); ok && o.onCPU() {
		return &cpuEncoder{newCPUNetwork(net, outputs, o.Threads)}, nil
	}
	return newGraphEncoder(b, l, outputs, o)
}

// flat is the shape of numbers.
func flat(n int) shapes.Shape { return shapes.Make(dtypes.Float32, n) }
