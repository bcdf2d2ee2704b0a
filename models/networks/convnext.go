package networks

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

func (c ConvNeXt) ImageSize() int { return c.Size }

func (c ConvNeXt) Validate() error {
	if len(c.Dims) == 0 || len(c.Dims) != len(c.Depths) {
		return fmt.Errorf("backbone: %d widths for %d stages", len(c.Dims), len(c.Depths))
	}
	if c.side(len(c.Dims)-1) < 1 {
		return fmt.Errorf("backbone: %d pixels are too few for patch %d and %d stages", c.Size,
			c.Patch, len(c.Dims))
	}
	return CheckKernel(c.Kernel)
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
func (c ConvNeXt) blocks(stage int) []Block {
	blocks := make([]Block, c.Depths[stage])
	for i := range blocks {
		blocks[i] = Block{fmt.Sprintf("stage%d/block%d", stage, i), c.side(stage), c.Dims[stage],
			c.Kernel, c.Expand}
	}
	return blocks
}

func (c ConvNeXt) Declare(l *Layout, outputs int) {
	declareStem(l, c.Patch, c.Dims[0])
	for stage, dim := range c.Dims {
		if stage > 0 {
			l.Dense(fmt.Sprintf("down%d", stage), 4*c.Dims[stage-1], dim, 1)
		}
		for _, b := range c.blocks(stage) {
			b.Declare(l)
		}
	}
	l.Dense("head", c.Dims[len(c.Dims)-1], outputs, 1)
}

func (c ConvNeXt) Apply(w *Weights, images *g.Node) (*g.Node, Backward) {
	x, back := stem(w, images, c.Patch)
	backs := []Backward{back}
	for stage := range c.Dims {
		if stage > 0 {
			x, back = c.downsample(w, stage, x)
			backs = append(backs, back)
		}
		for _, b := range c.blocks(stage) {
			x, back = b.Apply(w, x)
			backs = append(backs, back)
		}
	}
	x, back = c.pool(w, x)
	return x, Chain(append(backs, back))
}

// downsample halves the map with a 2x2 convolution of stride 2, after a norm.
func (c ConvNeXt) downsample(w *Weights, stage int, x *g.Node) (*g.Node, Backward) {
	batch, side, dim := x.Shape().Dimensions[0], c.side(stage-1), c.Dims[stage-1]
	y, normBack := Norm(x)
	y, patchBack := Patches(g.Reshape(y, batch, side, side, dim), 2)
	y, denseBack := Dense(w, fmt.Sprintf("down%d", stage), y)
	return y, func(d *Gradients, dy *g.Node) *g.Node {
		grid := patchBack(d, denseBack(d, dy))
		return normBack(d, g.Reshape(grid, batch, side*side, dim))
	}
}

// pool averages over the map, and mixes the channels densely.
func (c ConvNeXt) pool(w *Weights, x *g.Node) (*g.Node, Backward) {
	dims := x.Shape().Dimensions
	y, normBack := Norm(g.ReduceMean(x, 1))
	y, headBack := Dense(w, "head", y)
	return y, func(d *Gradients, dy *g.Node) *g.Node {
		mean := normBack(d, headBack(d, dy))
		spread := g.MulScalar(g.ExpandAxes(mean, 1), 1/float64(dims[1]))
		return g.BroadcastToDims(spread, dims...)
	}
}
