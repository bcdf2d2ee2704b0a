package vision

import (
	"fmt"

	g "github.com/gomlx/gomlx/core/graph"
)

// Isotropic is ConvNeXt's isotropic form (Liu et al. 2022, section 3.3), of one map
// size from end to end, for small networks: in place of the mean over the map, a
// head keeps a few channels of every token and mixes all tokens densely. So the
// network need not learn where things are from the border's padding.
type Isotropic struct {
	Size    int // images are Size x Size pixels
	Patch   int // side of the patches, pixels
	Dim     int // channels
	Depth   int // blocks
	Kernel  int // side of the depthwise kernels, odd
	Expand  int // hidden channels of a block over its channels
	Reduced int // channels a token that the head keeps
	Hidden  int // hidden units of the head
}

func (n Isotropic) size() int { return n.Size }

func (n Isotropic) validate() error {
	if n.side() < 1 {
		return fmt.Errorf("backbone: %d pixels are too few for patch %d", n.Size, n.Patch)
	}
	return checkKernel(n.Kernel)
}

// side is the map's, tokens.
func (n Isotropic) side() int { return n.Size / n.Patch }

func (n Isotropic) blocks() []block {
	blocks := make([]block, n.Depth)
	for i := range blocks {
		blocks[i] = block{fmt.Sprintf("block%d", i), n.side(), n.Dim, n.Kernel, n.Expand}
	}
	return blocks
}

func (n Isotropic) declare(l *layout, outputs int) {
	declareStem(l, n.Patch, n.Dim)
	for _, b := range n.blocks() {
		b.declare(l)
	}
	l.dense("reduce", n.Dim, n.Reduced, 1)
	l.dense("hidden", n.side()*n.side()*n.Reduced, n.Hidden, 1)
	l.dense("head", n.Hidden, outputs, 1)
}

func (n Isotropic) apply(w *weights, images *g.Node) (*g.Node, backward) {
	x, back := stem(w, images, n.Patch)
	backs := []backward{back}
	for _, b := range n.blocks() {
		x, back = b.apply(w, x)
		backs = append(backs, back)
	}
	x, back = n.head(w, x)
	return x, chain(append(backs, back))
}

func (n Isotropic) head(w *weights, x *g.Node) (*g.Node, backward) {
	batch, tokens := x.Shape().Dimensions[0], x.Shape().Dimensions[1]
	y, normBack := norm(x)
	y, reduceBack := dense(w, "reduce", y)
	y, hiddenBack := dense(w, "hidden", g.Reshape(y, batch, tokens*n.Reduced))
	y, geluBack := gelu(y)
	y, headBack := dense(w, "head", y)
	return y, func(d *gradients, dy *g.Node) *g.Node {
		flat := hiddenBack(d, geluBack(d, headBack(d, dy)))
		return normBack(d, reduceBack(d, g.Reshape(flat, batch, tokens, n.Reduced)))
	}
}
