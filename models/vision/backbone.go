package vision

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
)

// Backbone is a network from an image to a vector: to the latent in stage 1, to
// the predicates' logits in stage 3. A backbone is a description, a struct of
// sizes, that training and export know by this interface alone.
type Backbone interface {
	// size is the side of its images, pixels.
	size() int
	// validate says what is wrong with the description.
	validate() error
	// declare reserves weights for a vector of outputs numbers, those that depend on
	// outputs last.
	declare(l *layout, outputs int)
	// apply encodes images uint8 [batch, size, size, 3] to [batch, outputs]. With
	// w.inference it builds what runs one image fastest, whose backward is not used.
	apply(w *weights, images *g.Node) (*g.Node, backward)
}

// body is the number of weights that do not depend on the outputs.
func body(b Backbone) int {
	l := &layout{}
	b.declare(l, 0)
	return l.total
}

// pixelMean and pixelStd centre 8-bit pixels; part of every backbone.
const pixelMean, pixelStd = 127.5, 63.75

// normalised are the pixels of images uint8, centred.
func normalised(images *g.Node) *g.Node {
	return g.DivScalar(g.AddScalar(g.ConvertDType(images, dtypes.Float32), -pixelMean), pixelStd)
}

// declareStem reserves a patch embedding's weights.
func declareStem(l *layout, patch, dim int) { l.dense("stem", patch*patch*3, dim, 1) }

// stem embeds the patches of images uint8 [batch, size, size, 3]: normalised
// tokens [batch, (size/patch)^2, dim].
func stem(w *weights, images *g.Node, patch int) (*g.Node, backward) {
	a, cutBack := patches(normalised(images), patch)
	b, denseBack := dense(w, "stem", a)
	c, normBack := norm(b)
	return c, chain([]backward{cutBack, denseBack, normBack})
}

// block is ConvNeXt's: depthwise convolution, norm, two dense layers with GELU
// between, around which the input is added.
type block struct {
	name   string
	side   int // of the map, tokens
	dim    int // channels
	kernel int // side of the depthwise kernels, odd
	expand int // hidden channels over channels
}

func (b block) declare(l *layout) {
	l.add(b.name+"/mix/k", 1/float64(b.kernel), b.dim, b.kernel*b.kernel)
	l.add(b.name+"/mix/b", 0, b.dim)
	l.dense(b.name+"/up", b.dim, b.expand*b.dim, 1)
	// ConvNeXt's layer scale starts each block near the identity; folded into the
	// weights it is a small start, and costs nothing.
	l.dense(b.name+"/down", b.expand*b.dim, b.dim, 0.1)
}

func (b block) apply(w *weights, x *g.Node) (*g.Node, backward) {
	y, mixBack := depthwise(w, b.name+"/mix", x, b.side, b.side, b.kernel)
	y, normBack := norm(y)
	y, upBack := dense(w, b.name+"/up", y)
	y, geluBack := gelu(y)
	y, downBack := dense(w, b.name+"/down", y)
	inner := chain([]backward{mixBack, normBack, upBack, geluBack, downBack})
	return g.Add(x, y), func(d *gradients, dy *g.Node) *g.Node { return g.Add(dy, inner(d, dy)) }
}

// checkKernel says what is wrong with the side of a depthwise kernel.
func checkKernel(side int) error {
	if side%2 == 0 {
		return fmt.Errorf("backbone: kernel %d is not odd", side)
	}
	return nil
}
