package vision

import g "github.com/gomlx/gomlx/core/graph"

// continuity is the mean squared distance, over the static intervals in the batch, of the images at
// the two ends: two images of one state, taken at different times. The first ends are rows of the
// first half of next, the second ends rows of the second half of now.
func continuity(now, next, linked *g.Node) *g.Node {
	n := linked.Shape().Dimensions[0]
	first, last := g.Slice(next, g.AxisRange(0, n)), g.Slice(now, g.AxisRange(n, 2*n))
	distance := g.ReduceSum(g.Square(g.Sub(first, last)), -1)
	return g.Div(g.ReduceAllSum(g.Mul(linked, distance)), g.AddScalar(g.ReduceAllSum(linked), 1e-6))
}
