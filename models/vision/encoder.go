package vision

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
)

// Head says how an encoder's last map becomes a vector.
type Head string

const (
	// Pool averages over the map, as ConvNeXt does.
	Pool Head = "pool"
	// Spatial keeps a few channels of every token and mixes them densely: a small
	// network then need not learn where things are from the border's padding.
	Spatial Head = "spatial"
)

// Encoder describes a ConvNeXt (Liu et al. 2022): a patch embedding, stages of
// blocks with a downsampling between stages, and a head to Outputs numbers.
type Encoder struct {
	Size    int   // images are Size x Size pixels
	Patch   int   // side of the first patches, pixels
	Dims    []int // channels of each stage
	Depths  []int // blocks of each stage
	Kernel  int   // side of the depthwise kernels, odd
	Expand  int   // hidden channels of a block over its channels
	Head    Head
	Reduced int // channels a token that a Spatial head keeps
	Hidden  int // hidden units of a Spatial head
}

// pixelMean and pixelStd centre 8-bit pixels; part of the network.
const pixelMean, pixelStd = 127.5, 63.75

// validate says what is wrong with a description.
func (e Encoder) validate() error {
	if len(e.Dims) == 0 || len(e.Dims) != len(e.Depths) {
		return fmt.Errorf("encoder: %d widths for %d stages", len(e.Dims), len(e.Depths))
	}
	if e.Kernel%2 == 0 {
		return fmt.Errorf("encoder: kernel %d is not odd", e.Kernel)
	}
	if e.side(len(e.Dims)-1) < 1 {
		return fmt.Errorf("encoder: %d pixels are too few for patch %d and %d stages", e.Size, e.Patch, len(e.Dims))
	}
	return nil
}

// side is a stage's map side, tokens.
func (e Encoder) side(stage int) int {
	side := e.Size / e.Patch
	for range stage {
		side /= 2
	}
	return side
}

// declare reserves the encoder's weights for a vector of outputs numbers.
func (e Encoder) declare(l *layout, outputs int) {
	l.dense("stem", e.Patch*e.Patch*3, e.Dims[0], 1)
	for stage, dim := range e.Dims {
		if stage > 0 {
			l.dense(fmt.Sprintf("down%d", stage), 4*e.Dims[stage-1], dim, 1)
		}
		for block := range e.Depths[stage] {
			name := blockName(stage, block)
			l.add(name+"/mix/k", 1/float64(e.Kernel), dim, e.Kernel*e.Kernel)
			l.add(name+"/mix/b", 0, dim)
			l.dense(name+"/up", dim, e.Expand*dim, 1)
			// ConvNeXt's layer scale starts each block near the identity; folded
			// into the weights it is a small start, and costs nothing.
			l.dense(name+"/down", e.Expand*dim, dim, 0.1)
		}
	}
	last := e.Dims[len(e.Dims)-1]
	if e.Head == Pool {
		l.dense("head", last, outputs, 1)
		return
	}
	tokens := e.side(len(e.Dims)-1) * e.side(len(e.Dims)-1)
	l.dense("reduce", last, e.Reduced, 1)
	l.dense("hidden", tokens*e.Reduced, e.Hidden, 1)
	l.dense("head", e.Hidden, outputs, 1)
}

func blockName(stage, block int) string { return fmt.Sprintf("stage%d/block%d", stage, block) }

// apply encodes images uint8 [batch, size, size, 3] to [batch, outputs].
func (e Encoder) apply(w *weights, images *g.Node) (*g.Node, backward) {
	var backs []backward
	then := func(x *g.Node, back backward) *g.Node {
		backs = append(backs, back)
		return x
	}
	x := g.DivScalar(g.AddScalar(g.ConvertDType(images, dtypes.Float32), -pixelMean), pixelStd)
	x = then(patches(x, e.Patch))
	x = then(dense(w, "stem", x))
	x = then(norm(x))
	for stage := range e.Dims {
		side := e.side(stage)
		if stage > 0 {
			x = then(e.downsample(w, stage, x))
		}
		for block := range e.Depths[stage] {
			x = then(e.block(w, blockName(stage, block), x, side))
		}
	}
	x = then(e.head(w, x))
	return x, chain(backs)
}

// block is ConvNeXt's: depthwise convolution, norm, two dense layers with GELU
// between, around which the input is added.
func (e Encoder) block(w *weights, name string, x *g.Node, side int) (*g.Node, backward) {
	a, mixBack := depthwise(w, name+"/mix", x, side, side, e.Kernel)
	b, normBack := norm(a)
	c, upBack := dense(w, name+"/up", b)
	d, geluBack := gelu(c)
	f, downBack := dense(w, name+"/down", d)
	inner := chain([]backward{mixBack, normBack, upBack, geluBack, downBack})
	return g.Add(x, f), func(d *gradients, dy *g.Node) *g.Node { return g.Add(dy, inner(d, dy)) }
}

// downsample halves the map with a 2x2 convolution of stride 2, after a norm.
func (e Encoder) downsample(w *weights, stage int, x *g.Node) (*g.Node, backward) {
	batch, side, dim := x.Shape().Dimensions[0], e.side(stage-1), e.Dims[stage-1]
	a, normBack := norm(x)
	b, patchBack := patches(g.Reshape(a, batch, side, side, dim), 2)
	c, denseBack := dense(w, fmt.Sprintf("down%d", stage), b)
	return c, func(d *gradients, dy *g.Node) *g.Node {
		grid := patchBack(d, denseBack(d, dy))
		return normBack(d, g.Reshape(grid, batch, side*side, dim))
	}
}

func (e Encoder) head(w *weights, x *g.Node) (*g.Node, backward) {
	if e.Head == Pool {
		return e.poolHead(w, x)
	}
	batch, tokens := x.Shape().Dimensions[0], x.Shape().Dimensions[1]
	a, normBack := norm(x)
	b, reduceBack := dense(w, "reduce", a)
	c, hiddenBack := dense(w, "hidden", g.Reshape(b, batch, tokens*e.Reduced))
	d, geluBack := gelu(c)
	y, headBack := dense(w, "head", d)
	return y, func(d *gradients, dy *g.Node) *g.Node {
		flat := hiddenBack(d, geluBack(d, headBack(d, dy)))
		return normBack(d, reduceBack(d, g.Reshape(flat, batch, tokens, e.Reduced)))
	}
}

func (e Encoder) poolHead(w *weights, x *g.Node) (*g.Node, backward) {
	dims := x.Shape().Dimensions
	a, normBack := norm(g.ReduceMean(x, 1))
	y, headBack := dense(w, "head", a)
	return y, func(d *gradients, dy *g.Node) *g.Node {
		mean := normBack(d, headBack(d, dy))
		spread := g.MulScalar(g.ExpandAxes(mean, 1), 1/float64(dims[1]))
		return g.BroadcastToDims(spread, dims...)
	}
}
