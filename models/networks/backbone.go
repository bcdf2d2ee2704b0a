package networks

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
)

// Backbone is a network from an image to a vector: to the latent in stage 1, to the predicates'
// logits in stage 3. It is a struct of sizes; training and export know this interface alone.
type Backbone interface {
	// ImageSize is the side of its images, pixels.
	ImageSize() int
	// Validate says what is wrong with the description.
	Validate() error
	// Declare reserves weights for a vector of outputs numbers, those that depend on
	// outputs last.
	Declare(l *Layout, outputs int)
	// Apply encodes images uint8 [batch, size, size, 3] to [batch, outputs]. With
	// w.inference it builds what runs one image fastest, whose backward is not used.
	Apply(w *Weights, images *g.Node) (*g.Node, Backward)
}

// BodySize is the number of weights that do not depend on the outputs.
func BodySize(b Backbone) int {
	l := &Layout{}
	b.Declare(l, 0)
	return l.total
}

// PixelMean and PixelStd bring 8-bit pixels to about -2 to 2, in every backbone.
const PixelMean, PixelStd = 127.5, 63.75

// Normalised are the pixels of images uint8, centred.
func Normalised(images *g.Node) *g.Node {
	return g.DivScalar(g.AddScalar(g.ConvertDType(images, dtypes.Float32), -PixelMean), PixelStd)
}

// declareStem reserves a patch embedding's weights.
func declareStem(l *Layout, patch, dim int) { l.Dense("stem", patch*patch*3, dim, 1) }

// stem embeds the patches of images uint8 [batch, size, size, 3]: normalised
// tokens [batch, (size/patch)^2, dim].
func stem(w *Weights, images *g.Node, patch int) (*g.Node, Backward) {
	a, cutBack := Patches(Normalised(images), patch)
	b, denseBack := Dense(w, "stem", a)
	c, normBack := Norm(b)
	return c, Chain([]Backward{cutBack, denseBack, normBack})
}

// Block is ConvNeXt's: depthwise convolution, norm, two dense layers with GELU
// between, around which the input is added.
type Block struct {
	Name   string
	Side   int // of the map, tokens
	Dim    int // channels
	Kernel int // side of the depthwise kernels, odd
	Expand int // hidden channels over channels
}

func (b Block) Declare(l *Layout) {
	l.Add(b.Name+"/mix/k", 1/float64(b.Kernel), b.Dim, b.Kernel*b.Kernel)
	l.Add(b.Name+"/mix/b", 0, b.Dim)
	l.Dense(b.Name+"/up", b.Dim, b.Expand*b.Dim, 1)
	// ConvNeXt's layer scale starts each block near the identity; merged into the
	// weights it is a small start, and costs nothing.
	l.Dense(b.Name+"/down", b.Expand*b.Dim, b.Dim, 0.1)
}

func (b Block) Apply(w *Weights, x *g.Node) (*g.Node, Backward) {
	y, mixBack := depthwise(w, b.Name+"/mix", x, b.Side, b.Side, b.Kernel)
	y, normBack := Norm(y)
	y, upBack := Dense(w, b.Name+"/up", y)
	y, geluBack := GELU(y)
	y, downBack := Dense(w, b.Name+"/down", y)
	inner := Chain([]Backward{mixBack, normBack, upBack, geluBack, downBack})
	return g.Add(x, y), func(d *Gradients, dy *g.Node) *g.Node { return g.Add(dy, inner(d, dy)) }
}

// CheckKernel says what is wrong with the side of a depthwise kernel.
func CheckKernel(side int) error {
	if side%2 == 0 {
		return fmt.Errorf("backbone: kernel %d is not odd", side)
	}
	return nil
}
