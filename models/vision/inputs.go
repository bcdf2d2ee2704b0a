package vision

import (
	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/networks"
)

// input is the name of something that losses compare.
type input string

// Latents are [batch, dims], in level units, bounded and not rounded.
const (
	now       input = "now"       // student's latent of the image before
	next      input = "next"      // student's latent of the image after
	augmented input = "augmented" // student's latent of a varied image before
	nowCode   input = "now code"  // now, rounded, with a straight-through gradient
	nextCode  input = "next code" // next, likewise
	target    input = "target"    // teacher's code of the image after; no gradient
	predicted input = "predicted" // latent of the successor, by the dynamics head
	inferred  input = "inferred"  // logits of the action [batch, L], by the inverse head
	action    input = "action"    // the action, one-hot [batch, L]
	dither    input = "dither"    // uniform noise of one level [batch, dims]
	linked    input = "linked"    // [batch/2], 1 where row batch/2+i starts where row i ended
)

// inputs are the nodes of a training step's graph, by name.
type inputs map[input]*g.Node

// only keeps the named ones.
func (in inputs) only(names []input) inputs {
	kept := inputs{}
	for _, name := range names {
		kept[name] = in[name]
	}
	return kept
}

// views are the student's latents in use, in the order of a batch's images.
func (m WorldModel) views() []input {
	views := []input{now, next}
	if m.Objective.asks(augmented) {
		views = append(views, augmented)
	}
	return views
}

// inputs names what losses compare: h [views * batch, dims] is the student's
// output for the views, teacherOut [batch, dims] the teacher's for the image after.
func (m WorldModel) inputs(w *networks.Weights, h, teacherOut, actions, noise,
	links *g.Node) inputs {
	batch := actions.Shape().Dimensions[0]
	in := inputs{dither: noise, linked: links, action: g.OneHot(actions, m.Actions, dtypes.Float32)}
	for i, view := range m.views() {
		in[view] = m.FSQ.bound(g.Slice(h, g.AxisRange(i*batch, (i+1)*batch)))
	}
	in[target] = g.StopGradient(m.FSQ.quantize(m.FSQ.bound(teacherOut)))
	in[nowCode], in[nextCode] = m.FSQ.quantize(in[now]), m.FSQ.quantize(in[next])
	in[predicted] = m.dynamics().apply(w, g.Concatenate([]*g.Node{in[nowCode], in[action]}, 1))
	in[inferred] = m.inverse().apply(w, g.Concatenate([]*g.Node{in[nowCode], in[nextCode]}, 1))
	return in
}
