package vision

import (
	"fmt"

	g "github.com/gomlx/gomlx/core/graph"
)

// Decoder draws images of latent vectors, Isotropic's way back: a dense layer gives
// every patch a start of its own, so that the network need not learn where things are;
// blocks let neighbours agree on edges; a dense layer turns each token into its patch's
// pixels. No convolution is strided and nothing is upsampled, so a patch can be sharp.
type Decoder struct {
	Size   int // images are Size x Size pixels
	Patch  int // side of the patches, pixels; Size is a multiple of it
	Dim    int // channels
	Depth  int // blocks
	Kernel int // side of the depthwise kernels, odd
	Expand int // hidden channels of a block over its channels
	Hidden int // units between the latent and the tokens
}

func (n Decoder) validate() error {
	if n.Patch < 1 || n.Size%n.Patch != 0 || n.side() < 1 {
		return fmt.Errorf("decoder: %d pixels are no whole patches of %d", n.Size, n.Patch)
	}
	return checkKernel(n.Kernel)
}

// side is the map's, tokens.
func (n Decoder) side() int { return n.Size / n.Patch }

func (n Decoder) tokens() int { return n.side() * n.side() }

// values is the number of an image's values.
func (n Decoder) values() int { return n.Size * n.Size * 3 }

func (n Decoder) blocks() []block {
	blocks := make([]block, n.Depth)
	for i := range blocks {
		blocks[i] = block{fmt.Sprintf("decoder/block%d", i), n.side(), n.Dim, n.Kernel, n.Expand}
	}
	return blocks
}

// meanImage is the name of what every image starts from, in the order of patches.
const meanImage = "decoder/mean"

// declare reserves the weights for latent vectors of that many numbers.
func (n Decoder) declare(l *layout, latent int) {
	l.dense("decoder/hidden", latent, n.Hidden, 1)
	l.dense("decoder/tokens", n.Hidden, n.tokens()*n.Dim, 1)
	for _, b := range n.blocks() {
		b.declare(l)
	}
	l.dense("decoder/pixels", n.Dim, n.Patch*n.Patch*3, 0.1)
	l.add(meanImage, 0, n.values())
}

// apply draws latent vectors [n, latent]: the patches' values [n, tokens, patch*patch*3],
// as stem normalises pixels and patches orders them.
func (n Decoder) apply(w *weights, latent *g.Node) (*g.Node, backward) {
	rows := latent.Shape().Dimensions[0]
	x, hiddenBack := dense(w, "decoder/hidden", latent)
	x, geluBack := gelu(x)
	x, tokensBack := dense(w, "decoder/tokens", x)
	x = g.Reshape(x, rows, n.tokens(), n.Dim)
	var backs []backward
	for _, b := range n.blocks() {
		var back backward
		x, back = b.apply(w, x)
		backs = append(backs, back)
	}
	x, normBack := norm(x)
	x, pixelsBack := dense(w, "decoder/pixels", x)
	y := g.Add(x, g.Reshape(w.at(meanImage), 1, n.tokens(), n.Patch*n.Patch*3))
	middle := chain(append(backs, normBack, pixelsBack))
	return y, func(d *gradients, dy *g.Node) *g.Node {
		d.add(meanImage, g.ReduceSum(dy, 0))
		dx := g.Reshape(middle(d, dy), rows, n.tokens()*n.Dim)
		return hiddenBack(d, geluBack(d, tokensBack(d, dx)))
	}
}

// cut turns images uint8 [n, size, size, 3] into what apply is to give.
func (n Decoder) cut(images *g.Node) *g.Node {
	x, _ := patches(normalised(images), n.Patch)
	return x
}

// images turns what apply gives into images [n, size, size, 3] of values from 0 to 255.
func (n Decoder) images(y *g.Node) *g.Node {
	rows, side := y.Shape().Dimensions[0], n.side()
	split := g.Reshape(y, rows, side, side, n.Patch, n.Patch, 3)
	x := g.Reshape(g.TransposeAllAxes(split, 0, 1, 3, 2, 4, 5), rows, n.Size, n.Size, 3)
	x = g.AddScalar(g.MulScalar(x, pixelStd), pixelMean)
	return g.MinScalar(g.MaxScalar(x, 0), 255)
}
