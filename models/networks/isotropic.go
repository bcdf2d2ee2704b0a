package networks

import (
	"fmt"

	g "github.com/gomlx/gomlx/core/graph"
)

// Isotropic is ConvNeXt's isotropic form (Liu et al. 2022, section 3.3), with maps of one size from
// end to end, for small networks. In place of the mean over the map, a head keeps a few channels of
// every token and mixes all tokens densely, by hidden units or by the outputs themselves. So the
// network need not learn where things are from the padding at the border.
type Isotropic struct {
	Size    int // images are Size x Size pixels
	Patch   int // side of the patches, pixels
	Dim     int // channels
	Depth   int // blocks
	Kernel  int // side of the depthwise kernels, odd
	Expand  int // hidden channels of a block over its channels
	Reduced int // channels a token that the head keeps
	Hidden  int // hidden units of the head; 0: the head is linear
}

func (n Isotropic) ImageSize() int { return n.Size }

func (n Isotropic) Validate() error {
	if n.side() < 1 {
		return fmt.Errorf("backbone: %d pixels are too few for patch %d", n.Size, n.Patch)
	}
	return CheckKernel(n.Kernel)
}

// side is the map's, tokens.
func (n Isotropic) side() int { return n.Size / n.Patch }

func (n Isotropic) blocks() []Block {
	blocks := make([]Block, n.Depth)
	for i := range blocks {
		blocks[i] = Block{fmt.Sprintf("block%d", i), n.side(), n.Dim, n.Kernel, n.Expand}
	}
	return blocks
}

func (n Isotropic) Declare(l *Layout, outputs int) {
	declareStem(l, n.Patch, n.Dim)
	for _, b := range n.blocks() {
		b.Declare(l)
	}
	l.Dense("reduce", n.Dim, n.Reduced, 1)
	into := n.side() * n.side() * n.Reduced
	if n.Hidden > 0 {
		l.Dense("hidden", into, n.Hidden, 1)
		into = n.Hidden
	}
	l.Dense("head", into, outputs, 1)
}

func (n Isotropic) Apply(w *Weights, images *g.Node) (*g.Node, Backward) {
	x, back := stem(w, images, n.Patch)
	backs := []Backward{back}
	for _, b := range n.blocks() {
		x, back = b.Apply(w, x)
		backs = append(backs, back)
	}
	x, back = n.head(w, x)
	return x, Chain(append(backs, back))
}

func (n Isotropic) head(w *Weights, x *g.Node) (*g.Node, Backward) {
	batch, tokens := x.Shape().Dimensions[0], x.Shape().Dimensions[1]
	y, normBack := Norm(x)
	y, reduceBack := Dense(w, "reduce", y)
	y = g.Reshape(y, batch, tokens*n.Reduced)
	var backs []Backward
	if n.Hidden > 0 {
		var hiddenBack, geluBack Backward
		y, hiddenBack = Dense(w, "hidden", y)
		y, geluBack = GELU(y)
		backs = append(backs, hiddenBack, geluBack)
	}
	y, headBack := Dense(w, "head", y)
	flatBack := Chain(append(backs, headBack))
	return y, func(d *Gradients, dy *g.Node) *g.Node {
		flat := flatBack(d, dy)
		return normBack(d, reduceBack(d, g.Reshape(flat, batch, tokens, n.Reduced)))
	}
}
