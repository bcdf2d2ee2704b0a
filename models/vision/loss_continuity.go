package vision

import g "github.com/gomlx/gomlx/core/graph"

// continuity is the mean squared distance, over the batch's links, of what one
// transition left and what the next one found: two images of one state, taken at
// different times. The rows of the one are the first half of next, of the other the
// second half of now.
func continuity(now, next, linked *g.Node) *g.Node {
	n := linked.Shape().Dimensions[0]
	left, found := g.Slice(next, g.AxisRange(0, n)), g.Slice(now, g.AxisRange(n, 2*n))
	apart := g.ReduceSum(g.Square(g.Sub(left, found)), -1)
	return g.Div(g.ReduceAllSum(g.Mul(linked, apart)), g.AddScalar(g.ReduceAllSum(linked), 1e-6))
}
