package vision

import (
	"fmt"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
)

// WorldModel is the paper's stage 1 model: a student encoder, an EMA teacher,
// FSQ, action-conditioned dynamics and an inverse head (paper, figure 2).
type WorldModel struct {
	Backbone  Backbone
	FSQ       FSQ
	Actions   int // L; the graph numbers actions from 0
	Objective Objective
	EMA       float64 // the teacher's mu
	Hidden    int     // units of the heads
	Optimizer
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

// metrics names what a step measures: the objective, the losses in it, and the
// share of actions that the inverse head tells.
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
	return m.Backbone.validate()
}

// layout places the backbone first, so that it can be cut out for export.
func (m WorldModel) layout() *layout {
	l := &layout{}
	m.Backbone.declare(l, m.FSQ.Dims)
	for _, h := range m.heads() {
		h.declare(l)
	}
	return l
}

func (m WorldModel) initial(rng *rand.Rand) []float32 { return m.layout().initial(rng) }

// step is one training step. Inputs: weights, first, second, teacher and mask
// [total], rates [3 + terms] (Schedule.ratesAt and Objective.shares), actions int32
// [batch], dither [batch, dims], linked [batch/2], and for each view images uint8
// [batch, size, size, 3]. Outputs: the new weights, moments and teacher, and the
// metrics.
func (m WorldModel) step(in []*g.Node) []*g.Node {
	old := state[*g.Node]{in[0], in[1], in[2]}
	teacher, mask, rates, actions, pictures := in[3], in[4], in[5], in[6], in[9:]
	l := m.layout()
	w := l.split(old.weights)
	h, backboneBack := m.Backbone.apply(w, g.Concatenate(pictures, 0))
	teacherOut, _ := m.Backbone.apply(l.split(teacher), pictures[1])
	all := m.inputs(w, h, teacherOut, actions, in[7], in[8])
	total, values := m.lossValues(w, all, g.Slice(rates, g.AxisRange(3)))

	d := newGradients(w)
	var heads []string
	for _, h := range m.heads() {
		heads = append(heads, h.names()...)
	}
	by := []*g.Node{h}
	for _, name := range heads {
		by = append(by, w.at(name))
	}
	gradient := g.Gradient(total, by...)
	backboneBack(d, gradient[0])
	for i, name := range heads {
		d.add(name, gradient[i+1])
	}
	updated := m.update(old, d.flat(), mask, rates)

	hit := g.ConvertDType(g.Equal(g.ArgMax(all[inferred], -1, dtypes.Int32), actions), dtypes.Float32)
	metrics := append(append([]*g.Node{total}, values...), g.ReduceAllMean(hit))
	for i := range metrics {
		metrics[i] = g.Reshape(metrics[i], 1)
	}
	return []*g.Node{updated.weights, updated.first, updated.second, mix(teacher, updated.weights, m.EMA), g.Concatenate(metrics, 0)}
}

// stepShapes are step's inputs.
func (m WorldModel) stepShapes(batch int) []shapes.Shape {
	flat := shapes.Make(dtypes.Float32, m.layout().total)
	in := []shapes.Shape{flat, flat, flat, flat, flat, shapes.Make(dtypes.Float32, 3+len(m.Objective.terms())),
		shapes.Make(dtypes.Int32, batch), shapes.Make(dtypes.Float32, batch, m.FSQ.Dims), shapes.Make(dtypes.Float32, batch/2)}
	for range m.views() {
		in = append(in, shapes.Make(dtypes.Uint8, batch, m.Backbone.size(), m.Backbone.size(), 3))
	}
	return in
}

// encode is the graph that reads latents off images: weights [total] and images
// in, bounded latents [batch, dims] in level units out.
func (m WorldModel) encode(in []*g.Node) []*g.Node {
	h, _ := m.Backbone.apply(m.layout().split(in[0]), in[1])
	return []*g.Node{m.FSQ.bound(h)}
}
