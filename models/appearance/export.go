package appearance

import (
	"fmt"
	"math"

	g "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"

	"stripswm/models/networks"
	"stripswm/models/pixels"
)

// Export returns the distances as an ONNX network: images in, the distance to each node
// [n, |S|] out.
func (a *Model) Export() ([]byte, error) {
	middle := a.middle()
	model, err := networks.ExportOfImages(a.size, func(images *g.Node) *g.Node {
		graph := images.Graph()
		// Relative to the middle of all nodes, so that little is lost in |x|^2 - 2xm + |m|^2.
		x := g.Sub(networks.Thumbnails(images),
			g.ExpandLeftToRank(g.Const(graph, float32s(middle)), 2))
		far := a.exportLeft(a.exportReduced(x), middle)
		if len(a.filters) > 0 {
			far = g.Max(far, a.exportShares(x, middle))
		}
		missing := make([]float32, len(a.means))
		for s, mean := range a.means {
			if mean == nil {
				missing[s] = unknownDistance
			}
		}
		return g.Add(far, g.ExpandLeftToRank(g.Const(graph, missing), 2))
	})
	if err != nil {
		return nil, fmt.Errorf("appearance: %w", err)
	}
	return model, nil
}

// middle is the mean of all nodes' means.
func (a *Model) middle() []float64 {
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
func (a *Model) from(s int, middle []float64) []float64 {
	r := make([]float64, len(middle))
	for i, v := range a.means[s] {
		r[i] = v - middle[i]
	}
	return r
}

// exportReduced takes what the modes explain out of x [n, values].
func (a *Model) exportReduced(x *g.Node) *g.Node {
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
	along := g.Mul(product(x, basis, 1), g.ExpandLeftToRank(g.Const(x.Graph(), shares), 2))
	return g.Sub(x, product(along, basis, 0))
}

// inverse of a measure's unit at each node, squared.
func (a *Model) inverse(measure int) []float32 {
	out := make([]float32, len(a.units))
	for s, u := range a.units {
		out[s] = float32(1 / (u[measure] * u[measure]))
	}
	return out
}

// exportLeft is the greatest measure but of changes, in its unit [n, |S|], for reduced x.
func (a *Model) exportLeft(x *g.Node, middle []float64) *g.Node {
	side, _ := pixels.ThumbnailShape(a.size)
	across := blocksAcross(side)
	graph, n := x.Graph(), x.Shape().Dimensions[0]
	scale := make([]float32, len(a.variance))
	for i, v := range a.variance {
		scale[i] = float32(1 / math.Sqrt(v))
	}
	scaled := g.Mul(x, g.ExpandLeftToRank(g.Const(graph, scale), 2))
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
		part := g.Slice(image, g.AxisRange(), g.AxisRange(top, bottom), g.AxisRange(left, right),
			g.AxisRange())
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
		both := g.MulScalar(product(z, g.Const(graph, weights), 1), 2)
		sum := g.Add(g.Sub(own, both), g.ExpandLeftToRank(g.Const(graph, offset), 2))
		inUnit := g.Mul(g.DivScalar(sum, float64(len(values))),
			g.ExpandLeftToRank(g.Const(graph, a.inverse(1+block)), 2))
		if whole == nil {
			whole, worst = sum, inUnit
			continue
		}
		whole, worst = g.Add(whole, sum), g.Max(worst, inUnit)
	}
	whole = g.Mul(g.DivScalar(whole, float64(len(a.variance))),
		g.ExpandLeftToRank(g.Const(graph, a.inverse(0)), 2))
	return g.Sqrt(g.MaxScalar(g.Max(whole, worst), 0))
}

// exportShares is the greatest share of a change in its unit [n, |S|], for x [n, values].
func (a *Model) exportShares(x *g.Node, middle []float64) *g.Node {
	graph, n := x.Graph(), x.Shape().Dimensions[0]
	filters := make([][]float32, len(a.filters))
	for f, filter := range a.filters {
		filters[f] = float32s(filter)
	}
	// Of each node, by filter.
	own, inverse := make([][]float32, len(a.means)), make([][]float32, len(a.means))
	for s, units := range a.units {
		mean, units := a.from(s, middle), units[len(units)-len(a.filters):]
		for f, filter := range a.filters {
			own[s] = append(own[s], float32(dot(filter, mean)))
			inverse[s] = append(inverse[s], float32(1/units[f]))
		}
	}
	shares := g.Reshape(product(x, g.Const(graph, filters), 1), n, 1, len(filters))
	by := g.Abs(g.Sub(shares, g.Reshape(g.Const(graph, own), 1, len(own), len(filters))))
	by = g.Mul(by, g.Reshape(g.Const(graph, inverse), 1, len(own), len(filters)))
	return g.ReduceMax(by, 2)
}

func float32s(v []float64) []float32 {
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x)
	}
	return out
}

// product of rows [n, k] and a matrix, along the matrix's axis.
func product(rows, matrix *g.Node, axis int) *g.Node {
	return g.Dot(rows, matrix).General([]int{1}, nil, []int{axis}, nil)
}
