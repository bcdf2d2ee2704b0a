package autoencoder

import (
	"errors"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/dataset"
	"stripswm/models/networks"
)

// Settings describe an autoencoder: an encoder, a kind of latent vector, and a decoder that
// reconstructs the image. It is trained on pairs of images, the two of a transition or two of one
// static interval.
type Settings struct {
	Backbone networks.Backbone
	Latent   Latent
	Decoder  Decoder
	networks.Optimizer
	Batch int // pairs
	Steps int // the learning rate falls to zero over the last half of them
	// Augment gives the encoder varied images (augment.Camera); reconstructions are compared with
	// the images themselves.
	Augment bool
}

// Latent is a kind of latent vector, with its losses beside the reconstruction. It is a
// description, a struct of sizes and weights.
type Latent interface {
	// outputs is how many numbers the encoder gives an image, size how many the decoder takes.
	outputs() int
	size() int
	// declare reserves the weights of heads of its own.
	declare(l *networks.Layout)
	// pairs are what to train on: transitions, and pairs of images of one state, whose
	// Action is 0.
	pairs(d *dataset.Dataset) []dataset.Transition
	// noise draws a number of the noise [noises, batch, size] that a step takes.
	noise(rng *rand.Rand) float32
	noises() int
	// loss is the loss of a batch, with the latents to decode.
	loss(w *networks.Weights, p latentPairs) lossParts
	// metrics names what loss measures.
	metrics() []string
	// schedule starts a training of that many steps.
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

// lossParts is what a Latent makes of a batch.
type lossParts struct {
	// latents [batch, size] that the images before and after are decoded from
	before, after []*g.Node
	loss          *g.Node   // scalar, beside that of the reconstructions
	metrics       []*g.Node // scalars
}

// latentSchedule says what a loss needs to know of each step. It may depend on what earlier steps
// measured.
type latentSchedule interface {
	at(step int) []float32           // always as many numbers, at least one
	saw(step int, metrics []float32) // what a step measured, of Latent.metrics
}

const reconstruction = "reconstruction"

// metrics names what a step measures.
func (a Settings) metrics() []string {
	return append([]string{"total", reconstruction}, a.Latent.metrics()...)
}

func (a Settings) validate() error {
	if a.Backbone.ImageSize() != a.Decoder.Size {
		return errors.New("autoencoder: the encoder's images are not of the decoder's size")
	}
	return errors.Join(a.Backbone.Validate(), a.Decoder.validate())
}

// layout has the backbone first, so that an engine and the export find it, and the decoder last.
func (a Settings) layout() *networks.Layout {
	l := &networks.Layout{}
	a.Backbone.Declare(l, a.Latent.outputs())
	a.Latent.declare(l)
	a.Decoder.declare(l, a.Latent.size())
	return l
}

// heads names the weights between the backbone's and the decoder's.
func (a Settings) heads() []string {
	l := &networks.Layout{}
	a.Latent.declare(l)
	return l.Names()
}

// task is what an engine trains. Beside the images a step takes actions int32 [batch], noise
// [noises, batch, size], and the images to reconstruct, before and after, uint8 [batch, side, side,
// 3].
func (a Settings) task(threads int) networks.Task {
	side := a.Decoder.Size
	wanted := shapes.Make(dtypes.Uint8, a.Batch, side, side, 3)
	return networks.Task{
		Backbone: a.Backbone, Outputs: a.Latent.outputs(), Layout: a.layout(),
		Optimizer: a.Optimizer,
		Views:     2, Batch: a.Batch, Rates: 3 + len(a.Latent.schedule(a.Steps).at(0)),
		Metrics: a.metrics(), Loss: a.loss, LossThreads: threads,
		Extra: []shapes.Shape{shapes.Make(dtypes.Int32, a.Batch),
			shapes.Make(dtypes.Float32, a.Latent.noises(), a.Batch, a.Latent.size()), wanted, wanted},
	}
}

// loss is as Task.Loss: half the squared distance of reconstructions and images, summed over pixels
// with values from 0 to 1 and averaged over reconstructions (a normal distribution of variance 1,
// as in variational autoencoders), and the loss of the latent.
func (a Settings) loss(d *networks.Gradients, h, _, shares *g.Node, rest []*g.Node) (dh *g.Node,
	metrics []*g.Node) {
	w, n := d.Weights, a.Batch
	j := a.Latent.loss(w, latentPairs{
		before: g.Slice(h, g.AxisRange(0, n)), after: g.Slice(h, g.AxisRange(n, 2*n)),
		actions: rest[0], noise: rest[1], shares: shares,
	})
	var wanted []*g.Node
	for view, latents := range [][]*g.Node{j.before, j.after} {
		cut := a.Decoder.cut(rest[2+view])
		for range latents {
			wanted = append(wanted, cut)
		}
	}
	latents := g.Concatenate(append(append([]*g.Node{}, j.before...), j.after...), 0)
	decoded, back := a.Decoder.apply(w, latents)
	off := g.Sub(decoded, g.Concatenate(wanted, 0))
	const unit = networks.PixelStd * networks.PixelStd / (255 * 255)
	scale := unit / float64(len(wanted)*n)
	ofPixels := g.MulScalar(g.ReduceAllSum(g.Square(off)), scale/2)

	// The decoder's own gradients end at the latents, where those of GoMLX begin.
	dLatents := g.StopGradient(back(d, g.MulScalar(off, scale)))
	pulled := g.Add(j.loss, g.ReduceAllSum(g.Mul(latents, dLatents)))
	by := []*g.Node{h}
	for _, name := range a.heads() {
		by = append(by, w.At(name))
	}
	gradient := g.Gradient(pulled, by...)
	for i, name := range a.heads() {
		d.Add(name, gradient[i+1])
	}
	return gradient[0], append([]*g.Node{g.Add(j.loss, ofPixels), ofPixels}, j.metrics...)
}
