package networks

import (
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"
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
	Metrics int            // numbers that a step returns
	// Loss builds the loss from the outputs h [views*batch, outputs], those of the teacher [batch,
	// outputs] or nil, the rates beyond the optimiser's, and the extra inputs. It returns the
	// derivative by h and the metrics, scalars, and adds the derivatives by the weights beyond the
	// backbone's to d.
	Loss func(d *Gradients, h, teacher, shares *g.Node, extra []*g.Node) (dh *g.Node,
		metrics []*g.Node)
	// LossThreads is how many threads compute the loss on the processor; 0 means 1.
	LossThreads int
}

// Inputs are what a step reads of the data: the images of each view [batch, size, size, 3], and
// what the loss takes besides.
type Inputs struct {
	Images []*ort.Tensor[uint8]
	Extra  []ort.Value
}

// parts is the number of flat vectors that training carries from step to step.
func (t Task) parts() int {
	if t.Teacher {
		return stateTeacher + 1
	}
	return stateTeacher
}
