package autoencoder

import (
	"fmt"

	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/networks"
)

// Decoder reconstructs images from latent vectors, the inverse of networks.Isotropic. A dense layer
// gives each patch a start of its own, so that the network need not learn where things are; blocks
// let neighbours agree on edges; a dense layer turns each token into the pixels of its patch. No
// convolution is strided and nothing is upsampled, so patches can be sharp.
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
	return networks.CheckKernel(n.Kernel)
}

// side is the map's, tokens.
func (n Decoder) side() int { return n.Size / n.Patch }

func (n Decoder) tokens() int { return n.side() * n.side() }

// values is the number of an image's values.
func (n Decoder) values() int { return n.Size * n.Size * 3 }

func (n Decoder) blocks() []networks.Block {
	blocks := make([]networks.Block, n.Depth)
	for i := range blocks {
		blocks[i] = networks.Block{Name: fmt.Sprintf("decoder/block%d", i), Side: n.side(),
			Dim: n.Dim, Kernel: n.Kernel, Expand: n.Expand}
	}
	return blocks
}

// meanImage is the name of the image that every reconstruction starts from, in the order of
// patches.
const meanImage = "decoder/mean"

// declare reserves the weights for latent vectors of that many numbers.
func (n Decoder) declare(l *networks.Layout, latent int) {
	l.Dense("decoder/hidden", latent, n.Hidden, 1)
	l.Dense("decoder/tokens", n.Hidden, n.tokens()*n.Dim, 1)
	for _, b := range n.blocks() {
		b.Declare(l)
	}
	l.Dense("decoder/pixels", n.Dim, n.Patch*n.Patch*3, 0.1)
	l.Add(meanImage, 0, n.values())
}

// apply decodes latent vectors [n, latent]: the values of the patches [n, tokens, patch*patch*3],
// as networks.Normalised and networks.Patches give them.
func (n Decoder) apply(w *networks.Weights, latent *g.Node) (*g.Node, networks.Backward) {
	rows := latent.Shape().Dimensions[0]
	x, hiddenBack := networks.Dense(w, "decoder/hidden", latent)
	x, geluBack := networks.GELU(x)
	x, tokensBack := networks.Dense(w, "decoder/tokens", x)
	x = g.Reshape(x, rows, n.tokens(), n.Dim)
	var backs []networks.Backward
	for _, b := range n.blocks() {
		var back networks.Backward
		x, back = b.Apply(w, x)
		backs = append(backs, back)
	}
	x, normBack := networks.Norm(x)
	x, pixelsBack := networks.Dense(w, "decoder/pixels", x)
	y := g.Add(x, g.Reshape(w.At(meanImage), 1, n.tokens(), n.Patch*n.Patch*3))
	middle := networks.Chain(append(backs, normBack, pixelsBack))
	return y, func(d *networks.Gradients, dy *g.Node) *g.Node {
		d.Add(meanImage, g.ReduceSum(dy, 0))
		dx := g.Reshape(middle(d, dy), rows, n.tokens()*n.Dim)
		return hiddenBack(d, geluBack(d, tokensBack(d, dx)))
	}
}

// cut turns images uint8 [n, size, size, 3] into what apply should give.
func (n Decoder) cut(images *g.Node) *g.Node {
	x, _ := networks.Patches(networks.Normalised(images), n.Patch)
	return x
}

// images turns what apply gives into images [n, size, size, 3] of values from 0 to 255.
func (n Decoder) images(y *g.Node) *g.Node {
	rows, side := y.Shape().Dimensions[0], n.side()
	split := g.Reshape(y, rows, side, side, n.Patch, n.Patch, 3)
	x := g.Reshape(g.TransposeAllAxes(split, 0, 1, 3, 2, 4, 5), rows, n.Size, n.Size, 3)
	x = g.AddScalar(g.MulScalar(x, networks.PixelStd), networks.PixelMean)
	return g.MinScalar(g.MaxScalar(x, 0), 255)
}
