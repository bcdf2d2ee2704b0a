package networks

import (
	"math"
	"slices"

	g "github.com/gomlx/gomlx/core/graph"
)

// Backward turns the loss's derivative by a layer's output into its derivative
// by the layer's input, and adds the derivatives by the layer's weights to d.
// It is nil-safe to ignore the result where the input is an image.
type Backward func(d *Gradients, dy *g.Node) *g.Node

// The backbones' layers carry their own gradients: GoMLX's automatic ones for
// Norm, activation and convolution cost several times the forward pass on ONNX
// Runtime, or do not exist there. Every one is checked against finite
// differences by the tests. Activations are [batch, tokens, channels].

// Dense is x w + b over the last axis.
func Dense(w *Weights, name string, x *g.Node) (*g.Node, Backward) {
	kernel, bias := w.At(name+"/w"), w.At(name+"/b")
	rows := flatten(x)
	y := g.Add(contractLast(rows, kernel, 0), expandTo(bias, 2))
	return like(x, y), func(d *Gradients, dy *g.Node) *g.Node {
		dRows := flatten(dy)
		d.Add(name+"/w", contractRows(rows, dRows))
		d.Add(name+"/b", g.ReduceSum(dRows, 0))
		return like(dy, contractLast(dRows, kernel, 1))
	}
}

// flatten makes rows of all leading axes: [..., c] becomes [rows, c]. On ONNX Runtime
// products of matrices take transposed operands and a bias as they are; of anything of a
// higher rank it copies the operands first.
func flatten(x *g.Node) *g.Node {
	channels := x.Shape().Dimensions[x.Rank()-1]
	return g.Reshape(x, x.Shape().Size()/channels, channels)
}

// like gives rows [rows, c] the leading axes of x.
func like(x, rows *g.Node) *g.Node {
	dims := slices.Clone(x.Shape().Dimensions)
	dims[len(dims)-1] = rows.Shape().Dimensions[1]
	return g.Reshape(rows, dims...)
}

// contractLast multiplies rows [n, k] with a matrix along the matrix's axis.
func contractLast(rows, matrix *g.Node, axis int) *g.Node {
	return g.Dot(rows, matrix).General([]int{1}, nil, []int{axis}, nil)
}

// contractRows is the sum over all rows of x [n, i] times y [n, j]: [i, j].
func contractRows(x, y *g.Node) *g.Node {
	return g.Dot(x, y).General([]int{0}, nil, []int{0}, nil)
}

func expandTo(x *g.Node, rank int) *g.Node { return g.ExpandLeftToRank(x, rank) }

// normEpsilon is ConvNeXt's.
const normEpsilon = 1e-6

// Norm is layer normalisation over channels, without scale and shift: the
// Dense layer that always follows can express both.
func Norm(x *g.Node) (*g.Node, Backward) {
	last := x.Rank() - 1
	mean := func(n *g.Node) *g.Node { return g.ReduceAndKeep(n, g.ReduceMean, last) }
	centred := g.Sub(x, mean(x))
	scale := g.Reciprocal(g.Sqrt(g.AddScalar(mean(g.Square(centred)), normEpsilon)))
	y := g.Mul(centred, scale)
	return y, func(_ *Gradients, dy *g.Node) *g.Node {
		inner := g.Sub(g.Sub(dy, mean(dy)), g.Mul(y, mean(g.Mul(dy, y))))
		return g.Mul(scale, inner)
	}
}

// GELU is x Phi(x), Phi the normal distribution (Hendrycks and Gimpel 2016).
func GELU(x *g.Node) (*g.Node, Backward) {
	phi := g.MulScalar(g.AddScalar(g.Erf(g.MulScalar(x, 1/math.Sqrt2)), 1), 0.5)
	return g.Mul(x, phi), func(_ *Gradients, dy *g.Node) *g.Node {
		density := g.MulScalar(g.Exp(g.MulScalar(g.Square(x), -0.5)), 1/math.Sqrt(2*math.Pi))
		return g.Mul(dy, g.Add(phi, g.Mul(x, density)))
	}
}

// Patches cuts [batch, h, w, c] into side x side patches: [batch, h/side *
// w/side, side*side*c]. Rows and columns that fill no patch are left out, as a
// strided convolution without padding does. It is a convolution's im2col, so
// that patchify and downsampling become matrix products.
func Patches(x *g.Node, side int) (*g.Node, Backward) {
	dims := x.Shape().Dimensions
	batch, rows, cols, channels := dims[0], dims[1]/side, dims[2]/side, dims[3]
	cropped := x
	if rows*side < dims[1] || cols*side < dims[2] {
		cropped = g.Slice(x, g.AxisRange(), g.AxisRange(0, rows*side), g.AxisRange(0, cols*side))
	}
	split := g.Reshape(cropped, batch, rows, side, cols, side, channels)
	y := g.Reshape(g.TransposeAllAxes(split, 0, 1, 3, 2, 4, 5), batch, rows*cols,
		side*side*channels)
	return y, func(_ *Gradients, dy *g.Node) *g.Node {
		split := g.Reshape(dy, batch, rows, cols, side, side, channels)
		dx := g.Reshape(g.TransposeAllAxes(split, 0, 1, 3, 2, 4, 5), batch, rows*side, cols*side,
			channels)
		dx = growWithZeros(dx, 1, dims[1]-rows*side)
		return growWithZeros(dx, 2, dims[2]-cols*side)
	}
}

// growWithZeros appends n zeros along an axis.
func growWithZeros(x *g.Node, axis, n int) *g.Node {
	if n == 0 {
		return x
	}
	shape := x.Shape().Clone()
	shape.Dimensions[axis] = n
	return g.Concatenate([]*g.Node{x, g.Zeros(x.Graph(), shape)}, axis)
}

// Chain runs the backward passes from the last layer to the first.
func Chain(backs []Backward) Backward {
	return func(d *Gradients, dy *g.Node) *g.Node {
		for i := len(backs) - 1; i >= 0; i-- {
			dy = backs[i](d, dy)
		}
		return dy
	}
}
