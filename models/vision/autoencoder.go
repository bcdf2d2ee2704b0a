package vision

import (
	"errors"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
)

// Autoencoder is what baselines learn in place of stage 1: an encoder, a kind of latent
// vector, and a decoder that draws the image from it again. It is trained on pairs of
// images, a transition's two or two of one static interval.
type Autoencoder struct {
	Backbone Backbone
	Latent   Latent
	Decoder  Decoder
	Optimizer
	Batch int // pairs
	Steps int // the learning rate falls to zero over the last half of them
	// Augment gives the encoder variations of the images (augment.go); what is drawn is
	// compared with the images themselves.
	Augment bool
}

// Latent is a kind of latent vector, with what is asked of it beside that images can be
// drawn from it. It is a description, a struct of sizes and weights.
type Latent interface {
	// outputs is how many numbers the encoder gives an image, size how many the decoder takes.
	outputs() int
	size() int
	// declare reserves the weights of heads of its own.
	declare(l *layout)
	// pairs are what to train on: transitions, and pairs of images of one state, whose
	// Action is 0.
	pairs(d *Dataset) []Transition
	// noise draws a number of the noise [noises, batch, size] that a step takes.
	noise(rng *rand.Rand) float32
	noises() int
	// evaluate is the loss of a batch, with what is to be drawn.
	judge(w *weights, p latentPairs) judged
	// metrics names what evaluate measures.
	metrics() []string
	// schedule begins a training of that many steps.
	schedule(steps int) latentSchedule
	// final is the latent [n, size] of the encoder's outputs [n, outputs] without noise, as
	// exported.
	final(h *g.Node) *g.Node
}

// latentPairs is a batch of pairs of images.
type latentPairs struct {
	before, after *g.Node // the encoder's outputs [batch, outputs]
	actions       *g.Node // int32 [batch], from 1; 0 for two images of one state
	noise         *g.Node // [noises, batch, size]
	shares        *g.Node // what the schedule says of the step
}

// evaluated is what a Latent makes of a batch.
type judged struct {
	before, after []*g.Node // latents [batch, size] to draw the image before from, and that after
	loss          *g.Node   // scalar, beside that of the drawings
	metrics       []*g.Node // scalars
}

// latentSchedule says what a loss needs to know of each step, and may follow from what
// earlier steps measured.
type latentSchedule interface {
	at(step int) []float32           // always as many numbers, at least one
	saw(step int, metrics []float32) // what a step measured, of Latent.metrics
}

const reconstruction = "reconstruction"

// metrics names what a step measures.
func (a Autoencoder) metrics() []string {
	return append([]string{"total", reconstruction}, a.Latent.metrics()...)
}

func (a Autoencoder) validate() error {
	if a.Backbone.size() != a.Decoder.Size {
		return errors.New("autoencoder: the encoder's images are not of the decoder's size")
	}
	return errors.Join(a.Backbone.validate(), a.Decoder.validate())
}

// layout has the backbone first, so that an engine and the export find it, and the decoder last.
func (a Autoencoder) layout() *layout {
	l := &layout{}
	a.Backbone.declare(l, a.Latent.outputs())
	a.Latent.declare(l)
	a.Decoder.declare(l, a.Latent.size())
	return l
}

// heads names the weights between the backbone's and the decoder's.
func (a Autoencoder) heads() []string {
	l := &layout{}
	a.Latent.declare(l)
	var names []string
	for _, s := range l.slots {
		names = append(names, s.name)
	}
	return names
}

// task is what an engine trains. Beside the images a step takes actions int32 [batch], noise
// [noises, batch, size], and the images to draw, before and after, uint8 [batch, side, side, 3].
func (a Autoencoder) task(threads int) task {
	side := a.Decoder.Size
	drawn := shapes.Make(dtypes.Uint8, a.Batch, side, side, 3)
	return task{
		backbone: a.Backbone, outputs: a.Latent.outputs(), layout: a.layout(), Optimizer: a.Optimizer,
		views: 2, batch: a.Batch, rates: 3 + len(a.Latent.schedule(a.Steps).at(0)), metrics: len(a.metrics()), judge: a.judge, judges: threads,
		rest: []shapes.Shape{shapes.Make(dtypes.Int32, a.Batch), shapes.Make(dtypes.Float32, a.Latent.noises(), a.Batch, a.Latent.size()), drawn, drawn},
	}
}

// evaluate is the loss as task.evaluate: half the squared distance of drawings and images, summed
// over pixels whose values go from 0 to 1 and averaged over drawings (a normal distribution of
// variance 1, as variational autoencoders have it), and the latent's own.
func (a Autoencoder) judge(d *gradients, h, _, shares *g.Node, rest []*g.Node) (dh *g.Node, metrics []*g.Node) {
	w, n := d.weights, a.Batch
	j := a.Latent.judge(w, latentPairs{
		before: g.Slice(h, g.AxisRange(0, n)), after: g.Slice(h, g.AxisRange(n, 2*n)), actions: rest[0], noise: rest[1], shares: shares,
	})
	var wanted []*g.Node
	for view, latents := range [][]*g.Node{j.before, j.after} {
		cut := a.Decoder.cut(rest[2+view])
		for range latents {
			wanted = append(wanted, cut)
		}
	}
	latents := g.Concatenate(append(append([]*g.Node{}, j.before...), j.after...), 0)
	drawings, back := a.Decoder.apply(w, latents)
	off := g.Sub(drawings, g.Concatenate(wanted, 0))
	const unit = pixelStd * pixelStd / (255 * 255)
	scale := unit / float64(len(wanted)*n)
	drawn := g.MulScalar(g.ReduceAllSum(g.Square(off)), scale/2)

	// The decoder's own gradients end at the latents; GoMLX's take over there.
	dLatents := g.StopGradient(back(d, g.MulScalar(off, scale)))
	pulled := g.Add(j.loss, g.ReduceAllSum(g.Mul(latents, dLatents)))
	by := []*g.Node{h}
	for _, name := range a.heads() {
		by = append(by, w.at(name))
	}
	gradient := g.Gradient(pulled, by...)
	for i, name := range a.heads() {
		d.add(name, gradient[i+1])
	}
	return gradient[0], append([]*g.Node{g.Add(j.loss, drawn), drawn}, j.metrics...)
}
