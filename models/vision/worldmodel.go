package vision

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/networks"
)

// WorldModel is the paper's stage 1 model: a student encoder, an EMA teacher,
// FSQ, action-conditioned dynamics and an inverse head (paper, figure 2).
type WorldModel struct {
	Backbone  networks.Backbone
	FSQ       FSQ
	Actions   int // L; the graph numbers actions from 0
	Objective Objective
	EMA       float64 // the teacher's mu
	Hidden    int     // units of the heads
	networks.Optimizer
}

func (m WorldModel) dynamics() head {
	return head{mlp{"dynamics", m.Hidden, 2}, m.FSQ.Dims + m.Actions, m.FSQ.Dims}
}

func (m WorldModel) inverse() head {
	return head{mlp{"inverse", m.Hidden, 1}, 2 * m.FSQ.Dims, m.Actions}
}

// heads are the model's own and those of the losses in use.
func (m WorldModel) heads() []head {
	heads := []head{m.dynamics(), m.inverse()}
	for _, t := range m.Objective.terms() {
		if t.head != nil {
			heads = append(heads, t.head(m))
		}
	}
	return heads
}

// metrics names what a step measures: the objective, the losses in it, and the share of actions
// that the inverse head names right.
func (m WorldModel) metrics() []string {
	names := []string{"total"}
	for _, t := range m.Objective.terms() {
		names = append(names, t.name)
	}
	return append(names, inverseAccuracy)
}

const inverseAccuracy = "inverse_accuracy"

func (m WorldModel) validate() error {
	if m.Actions < 1 {
		return fmt.Errorf("world model: no actions")
	}
	if err := m.FSQ.validate(); err != nil {
		return err
	}
	if err := m.Objective.validate(); err != nil {
		return err
	}
	return m.Backbone.Validate()
}

// layout places the backbone first, so that it can be cut out for export.
func (m WorldModel) layout() *networks.Layout {
	l := &networks.Layout{}
	m.Backbone.Declare(l, m.FSQ.Dims)
	for _, h := range m.heads() {
		h.declare(l)
	}
	return l
}

// task is what an engine trains in stage 1. Beside the images a step takes actions int32 [batch],
// from 0, dither [batch, dims], -0.5 to 0.5, and linked [batch/2], 1 where transition batch/2+i
// follows on transition i.
func (m WorldModel) task(batch int) networks.Task {
	return networks.Task{
		Backbone: m.Backbone, Outputs: m.FSQ.Dims, Layout: m.layout(), Optimizer: m.Optimizer,
		Views: len(m.views()), Batch: batch, Teacher: true, EMA: m.EMA,
		Extra: []shapes.Shape{shapes.Make(dtypes.Int32, batch),
			shapes.Make(dtypes.Float32, batch, m.FSQ.Dims), shapes.Make(dtypes.Float32, batch/2)},
		Rates: 3 + len(m.Objective.terms()), Metrics: m.metrics(), Loss: m.objective,
	}
}

// objective is as Task.Loss; shares are Objective.shares.
func (m WorldModel) objective(d *networks.Gradients, h, teacher, shares *g.Node,
	rest []*g.Node) (dh *g.Node, metrics []*g.Node) {
	w := d.Weights
	actions, dither, linked := rest[0], rest[1], rest[2]
	all := m.inputs(w, h, teacher, actions, dither, linked)
	total, values := m.lossValues(w, all, shares)
	var heads []string
	for _, h := range m.heads() {
		heads = append(heads, h.names()...)
	}
	by := []*g.Node{h}
	for _, name := range heads {
		by = append(by, w.At(name))
	}
	gradient := g.Gradient(total, by...)
	for i, name := range heads {
		d.Add(name, gradient[i+1])
	}
	hit := g.ConvertDType(g.Equal(g.ArgMax(all[inferred], -1, dtypes.Int32), actions),
		dtypes.Float32)
	return gradient[0], append(append([]*g.Node{total}, values...), g.ReduceAllMean(hit))
}

// worldModel is the preset's stage 1 model for L actions.
func (p Preset) worldModel(actions int) WorldModel {
	return WorldModel{
		Backbone: p.Backbone, FSQ: p.FSQ, Actions: actions, Objective: p.Objective,
		EMA: p.EMA, Hidden: p.Hidden, Optimizer: p.WorldModel.Optimizer,
	}
}

// mlp describes a perceptron with one hidden size. Its gradients are automatic ones, since it is
// small compared with the encoder.
type mlp struct {
	name   string
	hidden int
	layers int // hidden layers
}

// head is a perceptron with the sizes of its input and output.
type head struct {
	mlp
	in, out int
}

func (h head) declare(l *networks.Layout) {
	in := h.in
	for i := range h.layers {
		l.Dense(fmt.Sprintf("%s/%d", h.name, i), in, h.hidden, 2)
		in = h.hidden
	}
	l.Dense(h.name+"/out", in, h.out, 1)
}

func (m mlp) apply(w *networks.Weights, x *g.Node) *g.Node {
	for i := range m.layers {
		x, _ = networks.Dense(w, fmt.Sprintf("%s/%d", m.name, i), x)
		x = g.MaxScalar(x, 0)
	}
	x, _ = networks.Dense(w, m.name+"/out", x)
	return x
}

// names lists the head's weights.
func (m mlp) names() []string {
	var names []string
	for i := range m.layers {
		names = append(names, fmt.Sprintf("%s/%d/w", m.name, i), fmt.Sprintf("%s/%d/b", m.name, i))
	}
	return append(names, m.name+"/out/w", m.name+"/out/b")
}

// Learned is a trained world model: the teacher's weights at the chosen checkpoint.
type Learned struct {
	Model   WorldModel
	Teacher []float32
	History []Evaluation
	Chosen  Evaluation
	// Separated is the number of steps of phase separate (phases.go); 0 where there is no such
	// phase, or it did not end.
	Separated int
	Settled   bool   // nothing of note changed any more when training ended
	Fallback  string // one of the training fallbacks, "" for Preset.Objective
	Starts    int    // how often training started, each time with other weights
}

// Backbone is the weights of the encoder's backbone but for its outputs. TrainClassifier begins
// with them.
func (l *Learned) Backbone() []float32 { return l.Teacher[:networks.BodySize(l.Model.Backbone)] }
