package vision

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"
)

// Export returns the distances as an ONNX network: images in, the distance to each node
// [n, |S|] out.
func (a *Appearance) Export() ([]byte, error) {
	side, pool := lookShape(a.size)
	middle := a.middle()
	model, err := exportOfImages(a.size, func(images *g.Node) *g.Node {
		graph, n := images.Graph(), images.Shape().Dimensions[0]
		x := g.ConvertDType(images, dtypes.Float32)
		x = g.Slice(x, g.AxisRange(), g.AxisRange(0, side*pool), g.AxisRange(0, side*pool), g.AxisRange())
		x = g.ReduceMean(g.Reshape(x, n, side, pool, side, pool, 3), 2, 4)
		light := g.AddScalar(g.ReduceMean(x, 1, 2, 3), 1)
		x = g.Reshape(g.Div(x, g.Reshape(light, n, 1, 1, 1)), n, side*side*3)
		// Relative to the middle of all nodes, so that little is lost in |x|^2 - 2xm + |m|^2.
		x = g.Sub(x, expandTo(g.Const(graph, float32s(middle)), 2))
		far := g.Max(a.exportLeft(a.exportReduced(x), middle), a.exportShare(x, middle))
		scale, missing := make([]float32, len(a.means)), make([]float32, len(a.means))
		for s, mean := range a.means {
			scale[s] = float32(a.scale(s))
			if mean == nil {
				missing[s] = unlike
			}
		}
		far = g.Mul(far, expandTo(g.Const(graph, scale), 2))
		return g.Add(far, expandTo(g.Const(graph, missing), 2))
	})
	if err != nil {
		return nil, fmt.Errorf("appearance: %w", err)
	}
	return model, nil
}

// middle is the mean of all nodes' means.
func (a *Appearance) middle() []float64 {
	var middle []float64
	known := 0.0
	for _, mean := range a.means {
		if mean == nil {
			continue
		}
		if middle == nil {
			middle = make([]float64, len(mean))
		}
		known++
		for i, v := range mean {
			middle[i] += (v - middle[i]) / known
		}
	}
	return middle
}

// from is the mean of a node relative to the middle; zeros where there is none.
func (a *Appearance) from(s int, middle []float64) []float64 {
	r := make([]float64, len(middle))
	for i, v := range a.means[s] {
		r[i] = v - middle[i]
	}
	return r
}

// exportReduced takes what the modes explain out of x [n, values].
func (a *Appearance) exportReduced(x *g.Node) *g.Node {
	if a.modes.basis == nil {
		return x
	}
	rows := make([][]float32, len(a.modes.variance)) // a mode each
	shares := make([]float32, len(rows))
	for k := range rows {
		rows[k] = float32s(mat.Col(nil, k, a.modes.basis))
		shares[k] = float32(a.modes.share(k))
	}
	basis := g.Const(x.Graph(), rows)
	along := g.Mul(contractLast(x, basis, 1), expandTo(g.Const(x.Graph(), shares), 2))
	return g.Sub(x, contractLast(along, basis, 0))
}

// exportLeft is the greater of left's numbers in their units [n, |S|], for reduced x.
func (a *Appearance) exportLeft(x *g.Node, middle []float64) *g.Node {
	side, _ := lookShape(a.size)
	across := (side + blockSide - 1) / blockSide
	graph, n := x.Graph(), x.Shape().Dimensions[0]
	scale := make([]float32, len(a.variance))
	for i, v := range a.variance {
		scale[i] = float32(1 / math.Sqrt(v))
	}
	scaled := g.Mul(x, expandTo(g.Const(graph, scale), 2))
	image := g.Reshape(scaled, n, side, side, 3)
	means := make([][]float64, len(a.means))
	for s := range means {
		means[s] = a.modes.reduce(a.from(s, middle))
	}
	var whole, worst *g.Node
	for block := range across * across {
		top, left := block/across*blockSide, block%across*blockSide
		bottom, right := min(top+blockSide, side), min(left+blockSide, side)
		var values []int // in the order of the part
		for y := top; y < bottom; y++ {
			for i := 3 * (y*side + left); i < 3*(y*side+right); i++ {
				values = append(values, i)
			}
		}
		part := g.Slice(image, g.AxisRange(), g.AxisRange(top, bottom), g.AxisRange(left, right), g.AxisRange())
		weights, offset := make([][]float32, len(means)), make([]float32, len(means))
		for s, mean := range means {
			square := 0.0
			for _, i := range values {
				v := mean[i] * float64(scale[i])
				weights[s] = append(weights[s], float32(v))
				square += v * v
			}
			offset[s] = float32(square)
		}
		z := g.Reshape(part, n, len(values))
		own := g.Reshape(g.ReduceSum(g.Square(z), 1), n, 1)
		both := g.MulScalar(contractLast(z, g.Const(graph, weights), 1), 2)
		sum := g.Add(g.Sub(own, both), expandTo(g.Const(graph, offset), 2))
		mean := g.DivScalar(sum, float64(len(values)))
		if whole == nil {
			whole, worst = sum, mean
			continue
		}
		whole, worst = g.Add(whole, sum), g.Max(worst, mean)
	}
	whole = g.DivScalar(whole, float64(len(a.variance))*a.whole*a.whole)
	worst = g.DivScalar(worst, a.block*a.block)
	return g.Sqrt(g.MaxScalar(g.Max(whole, worst), 0))
}

// exportShare is most in its unit [n, |S|], for x [n, values].
func (a *Appearance) exportShare(x *g.Node, middle []float64) *g.Node {
	graph, n := x.Graph(), x.Shape().Dimensions[0]
	filters := make([][]float32, max(1, len(a.changes))) // none: one that finds nothing
	filters[0] = make([]float32, len(middle))
	own := make([][]float32, len(a.means)) // of each node's mean
	for s := range own {
		own[s] = make([]float32, len(filters))
	}
	for c, change := range a.changes {
		filters[c] = float32s(change.filter)
		for s := range own {
			own[s][c] = float32(dot(change.filter, a.from(s, middle)))
		}
	}
	shares := g.Reshape(contractLast(x, g.Const(graph, filters), 1), n, 1, len(filters))
	by := g.Abs(g.Sub(shares, g.Reshape(g.Const(graph, own), 1, len(own), len(filters))))
	return g.DivScalar(g.ReduceMax(by, 2), a.share)
}

func float32s(v []float64) []float32 {
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x)
	}
	return out
}
