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
	Encoder Encoder
	FSQ     FSQ
	Actions int // L; the graph numbers actions from 0
	Weights Weights
	EMA     float64 // the teacher's mu
	Hidden  int     // of the two heads
	Optimizer
}

func (m WorldModel) dynamics() mlp { return mlp{"dynamics", m.Hidden, 2} }
func (m WorldModel) inverse() mlp  { return mlp{"inverse", m.Hidden, 1} }

// choice predicts the action from the current latent alone. Where the robot
// explores at random, the choice depends on the state only through which
// actions apply, so this head asks the code to tell states apart whose actions
// differ. The other losses do not: two states without a common action can share
// a code and nothing they predict goes wrong. Its input is the latent with
// uniform noise of one level added: two states must be a level apart to be told
// apart, as for the rounded code, but the slope between levels is there to
// follow, which at the rounded code alone is never learned.
func (m WorldModel) choice() mlp { return mlp{"choice", m.Hidden, 1} }

// heads are the perceptrons in use, with the sizes of their inputs and outputs.
func (m WorldModel) heads() []head {
	d := m.FSQ.Dims
	heads := []head{{m.dynamics(), d + m.Actions, d}, {m.inverse(), 2 * d, m.Actions}}
	if m.Weights.Choice != 0 {
		heads = append(heads, head{m.choice(), d, m.Actions})
	}
	return heads
}

type head struct {
	mlp
	in, out int
}

func (m WorldModel) validate() error {
	if m.Actions < 1 {
		return fmt.Errorf("world model: no actions")
	}
	if err := m.FSQ.validate(); err != nil {
		return err
	}
	return m.Encoder.validate()
}

// layout places the encoder first, so that it can be cut out for export.
func (m WorldModel) layout() *layout {
	l := &layout{}
	m.Encoder.declare(l, m.FSQ.Dims)
	for _, h := range m.heads() {
		h.declare(l, h.in, h.out)
	}
	return l
}

func (m WorldModel) initial(rng *rand.Rand) []float32 { return m.layout().initial(rng) }

// step is one training step. Inputs: weights, first, second, teacher and mask
// [total], rates [6] (Optimizer.rates and Schedule.scales), images before and after uint8
// [batch, size, size, 3], actions int32 [batch], dither [batch, dims], and, when
// L_aug is on, augmented images before.
// Outputs: the new weights, moments and teacher, and the metrics.
func (m WorldModel) step(in []*g.Node) []*g.Node {
	old := state[*g.Node]{in[0], in[1], in[2]}
	teacher, mask, rates, before, after, actions, dither, linked := in[3], in[4], in[5], in[6], in[7], in[8], in[9], in[10]
	l := m.layout()
	w := l.split(old.weights)

	images := []*g.Node{before, after}
	images = append(images, in[11:]...)
	h, encoderBack := m.Encoder.apply(w, g.Concatenate(images, 0))
	batch := before.Shape().Dimensions[0]
	part := func(i int) *g.Node { return m.FSQ.bound(g.Slice(h, g.AxisRange(i*batch, (i+1)*batch))) }
	taught, _ := m.Encoder.apply(l.split(teacher), after)
	z := latents{now: part(0), next: part(1), dither: dither, linked: linked, target: g.StopGradient(m.FSQ.quantize(m.FSQ.bound(taught)))}
	if len(images) > 2 {
		z.augmented = part(2)
	}
	total, metrics := m.losses(w, z, actions, g.Slice(rates, g.AxisRange(3)))

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
	encoderBack(d, gradient[0])
	for i, name := range heads {
		d.add(name, gradient[i+1])
	}
	next := m.update(old, d.flat(), mask, rates)
	return []*g.Node{next.weights, next.first, next.second, mix(teacher, next.weights, m.EMA), metrics}
}

// stepShapes are step's inputs.
func (m WorldModel) stepShapes(batch int) []shapes.Shape {
	total := m.layout().total
	flat := shapes.Make(dtypes.Float32, total)
	images := shapes.Make(dtypes.Uint8, batch, m.Encoder.Size, m.Encoder.Size, 3)
	in := []shapes.Shape{flat, flat, flat, flat, flat, shapes.Make(dtypes.Float32, 6), images, images, shapes.Make(dtypes.Int32, batch), shapes.Make(dtypes.Float32, batch, m.FSQ.Dims), shapes.Make(dtypes.Float32, batch/2)}
	if m.Weights.Augment != 0 {
		in = append(in, images)
	}
	return in
}

// encode is the graph that reads latents off images: weights [total] and images
// in, bounded latents [batch, dims] in level units out.
func (m WorldModel) encode(in []*g.Node) []*g.Node {
	h, _ := m.Encoder.apply(m.layout().split(in[0]), in[1])
	return []*g.Node{m.FSQ.bound(h)}
}
