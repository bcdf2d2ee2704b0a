package vision

import (
	"fmt"

	g "github.com/gomlx/gomlx/core/graph"
)

// ConvNeXt is the network of Liu et al. 2022: a patch embedding, stages of blocks
// with a downsampling between stages, and a dense layer on the mean of the last map.
type ConvNeXt struct {
	Size   int   // images are Size x Size pixels
	Patch  int   // side of the first patches, pixels
	Dims   []int // channels of each stage
	Depths []int // blocks of each stage
	Kernel int   // side of the depthwise kernels, odd
	Expand int   // hidden channels of a block over its channels
}

func (c ConvNeXt) size() int { return c.Size }

func (c ConvNeXt) validate() error {
	if len(c.Dims) == 0 || len(c.Dims) != len(c.Depths) {
		return fmt.Errorf("backbone: %d widths for %d stages", len(c.Dims), len(c.Depths))
	}
	if c.side(len(c.Dims)-1) < 1 {
		return fmt.Errorf("backbone: %d pixels are too few for patch %d and %d stages", c.Size, c.Patch, len(c.Dims))
	}
	return checkKernel(c.Kernel)
}

// side is a stage's map side, tokens.
func (c ConvNeXt) side(stage int) int {
	side := c.Size / c.Patch
	for range stage {
		side /= 2
	}
	return side
}

// blocks are those of a stage.
func (c ConvNeXt) blocks(stage int) []block {
	blocks := make([]block, c.Depths[stage])
	for i := range blocks {
		blocks[i] = block{fmt.Sprintf("stage%d/block%d", stage, i), c.side(stage), c.Dims[stage], c.Kernel, c.Expand}
	}
	return blocks
}

func (c ConvNeXt) declare(l *layout, outputs int) {
	declareStem(l, c.Patch, c.Dims[0])
	for stage, dim := range c.Dims {
		if stage > 0 {
			l.dense(fmt.Sprintf("down%d", stage), 4*c.Dims[stage-1], dim, 1)
		}
		for _, b := range c.blocks(stage) {
			b.declare(l)
		}
	}
	l.dense("head", c.Dims[len(c.Dims)-1], outputs, 1)
}

func (c ConvNeXt) apply(w *weights, images *g.Node) (*g.Node, backward) {
	x, back := stem(w, images, c.Patch)
	backs := []backward{back}
	for stage := range c.Dims {
		if stage > 0 {
			x, back = c.downsample(w, stage, x)
			backs = append(backs, back)
		}
		for _, b := range c.blocks(stage) {
			x, back = b.apply(w, x)
			backs = append(backs, back)
		}
	}
	x, back = c.pool(w, x)
	return x, chain(append(backs, back))
}

// downsample halves the map with a 2x2 convolution of stride 2, after a norm.
func (c ConvNeXt) downsample(w *weights, stage int, x *g.Node) (*g.Node, backward) {
	batch, side, dim := x.Shape().Dimensions[0], c.side(stage-1), c.Dims[stage-1]
	y, normBack := norm(x)
	y, patchBack := patches(g.Reshape(y, batch, side, side, dim), 2)
	y, denseBack := dense(w, fmt.Sprintf("down%d", stage), y)
	return y, func(d *gradients, dy *g.Node) *g.Node {
		grid := patchBack(d, denseBack(d, dy))
		return normBack(d, g.Reshape(grid, batch, side*side, dim))
	}
}

// pool averages over the map, and mixes the channels densely.
func (c ConvNeXt) pool(w *weights, x *g.Node) (*g.Node, backward) {
	dims := x.Shape().Dimensions
	y, normBack := norm(g.ReduceMean(x, 1))
	y, headBack := dense(w, "head", y)
	return y, func(d *gradients, dy *g.Node) *g.Node {
		mean := normBack(d, headBack(d, dy))
		spread := g.MulScalar(g.ExpandAxes(mean, 1), 1/float64(dims[1]))
		return g.BroadcastToDims(spread, dims...)
	}
}
