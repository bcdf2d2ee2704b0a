package networks

import (
	"math"
	"slices"

	g "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Backward turns the loss's derivative by a layer's output into its derivative by the layer's
// input, and adds the derivatives by the layer's weights to d. Where the input is an image the
// result may be ignored.
//
// Layers have their own gradients, since GoMLX's automatic ones for Norm, activation and
// convolution cost several times the forward pass on ONNX Runtime, or do not exist there. Tests
// check each against finite differences. Activations are [batch, tokens, channels].
type Backward func(d *Gradients, dy *g.Node) *g.Node

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

// toeplitzTokens is the largest map that the depthwise convolution handles as a
// banded matrix product; beyond it the matrix outgrows what it saves.
const toeplitzTokens = 64

// depthwise is a side x side convolution of each channel with itself, stride 1,
// zero padded. x is [batch, h*w, c], the kernel [c, side*side].
func depthwise(w *Weights, name string, x *g.Node, h, width, side int) (*g.Node, Backward) {
	if h*width <= toeplitzTokens && !w.inference {
		return depthwiseToeplitz(w, name, x, h, width, side)
	}
	return depthwiseGrouped(w, name, x, h, width, side)
}

// depthwiseToeplitz multiplies each channel's map with the matrix T[from, to] of
// its kernel, one batched product for all channels: on ONNX Runtime this is
// several times faster than its grouped convolution on maps up to 8x8.
func depthwiseToeplitz(w *Weights, name string, x *g.Node, h, width, side int) (*g.Node, Backward) {
	kernel, tokens := w.At(name+"/k"), h*width
	batch, channels := x.Shape().Dimensions[0], x.Shape().Dimensions[2]
	taps := g.ConstCachedTensor(x.Graph(), toeplitzTaps(h, width, side))
	matrix := g.Reshape(contractLast(kernel, taps, 0), channels, tokens, tokens)
	byChannel := func(x *g.Node) *g.Node {
		return g.Reshape(g.Transpose(flatten(x), 0, 1), channels,
			batch, tokens)
	}
	byToken := func(y *g.Node) *g.Node {
		return like(x, g.Transpose(g.Reshape(y, channels, batch*tokens), 0, 1))
	}
	in := byChannel(x)
	y := g.Dot(in, matrix).General([]int{2}, []int{0}, []int{1}, []int{0})
	y = g.Add(byToken(y), expandTo(w.At(name+"/b"), 3))
	return y, func(d *Gradients, dy *g.Node) *g.Node {
		dOut := byChannel(dy)
		dMatrix := g.Dot(in, dOut).General([]int{1}, []int{0}, []int{1}, []int{0})
		d.Add(name+"/k", contractLast(g.Reshape(dMatrix, channels, tokens*tokens), taps, 1))
		d.Add(name+"/b", g.ReduceSum(flatten(dy), 0))
		return byToken(g.Dot(dOut, matrix).General([]int{2}, []int{0}, []int{2}, []int{0}))
	}
}

// toeplitzTaps [side*side, tokens*tokens] is 1 where a tap of the kernel
// connects a token to another.
func toeplitzTaps(h, width, side int) *tensors.Tensor {
	tokens, half := h*width, side/2
	flat := make([]float32, side*side*tokens*tokens)
	for to := range tokens {
		for from := range tokens {
			dy, dx := from/width-to/width+half, from%width-to%width+half
			if dy >= 0 && dy < side && dx >= 0 && dx < side {
				flat[(dy*side+dx)*tokens*tokens+from*tokens+to] = 1
			}
		}
	}
	return tensors.FromFlatDataAndDimensions(flat, side*side, tokens*tokens)
}

// depthwiseGrouped uses the runtime's grouped convolution, and for the kernel's
// gradient the same operator with maps for kernels: each channel's input,
// batch as channels, convolved with its output gradient.
func depthwiseGrouped(w *Weights, name string, x *g.Node, h, width, side int) (*g.Node, Backward) {
	kernel := w.At(name + "/k")
	batch, channels, half := x.Shape().Dimensions[0], x.Shape().Dimensions[2], side/2
	same := [][2]int{{half, half}, {half, half}}
	grid := g.Reshape(x, batch, h, width, channels)
	taps := g.Reshape(g.TransposeAllAxes(kernel, 1, 0), side, side, 1, channels)
	convolve := func(in, taps *g.Node) *g.Node {
		return g.Convolve(in, taps).ChannelGroupCount(channels).PaddingPerDim(same).Done()
	}
	y := g.Reshape(convolve(grid, taps), batch, h*width, channels)
	y = g.Add(y, expandTo(w.At(name+"/b"), 3))
	return y, func(d *Gradients, dy *g.Node) *g.Node {
		dGrid := g.Reshape(dy, batch, h, width, channels)
		in := g.Reshape(g.TransposeAllAxes(grid, 1, 2, 3, 0), 1, h, width, channels*batch)
		asTaps := g.TransposeAllAxes(dGrid, 1, 2, 0, 3) // [h, w, batch, c]
		dTaps := g.Reshape(convolve(in, asTaps), side*side, channels)
		d.Add(name+"/k", g.TransposeAllAxes(dTaps, 1, 0))
		d.Add(name+"/b", g.ReduceSum(dy, 0, 1))
		return g.Reshape(convolve(dGrid, g.Reverse(taps, 0, 1)), batch, h*width, channels)
	}
}
