package vision

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
)

// contrast is InfoNCE (van den Oord et al. 2018) over the static intervals in the batch: for the
// image at one end, the loss asks for the image at the other end among all images of the batch, by
// the distance of latents. Images before and after one action are among them, so codes separate
// what actions change. The loss is at most about the logarithm of the number of images.
//
// The losses of the paper ask of a code what the next action shows. What no action shows for a
// while, such as the place of a key that nobody carries, they learn late or not at all.
func contrast(now, next, linked *g.Node) *g.Node {
	n := linked.Shape().Dimensions[0]
	all := g.Concatenate([]*g.Node{now, next}, 0) // [4n, d]
	first, last := g.Slice(next, g.AxisRange(0, n)), g.Slice(now, g.AxisRange(n, 2*n))
	loss := func(anchors *g.Node, self, other int) *g.Node {
		logits := nearness(anchors, all)
		row := g.Iota(now.Graph(), shapes.Make(dtypes.Int32, n), 0)
		at := func(from int) *g.Node {
			return g.OneHot(g.AddScalar(row, float64(from)), 4*n,
				dtypes.Float32)
		}
		logits = g.Sub(logits, g.MulScalar(at(self), 1e6))
		wrong := g.Neg(g.ReduceSum(g.Mul(at(other), g.LogSoftmax(logits, -1)), -1))
		return g.Div(g.ReduceAllSum(g.Mul(linked, wrong)),
			g.AddScalar(g.ReduceAllSum(linked), 1e-6))
	}
	return g.MulScalar(g.Add(loss(first, 2*n, n), loss(last, n, 2*n)), 0.5)
}

// foresight is InfoNCE over the transitions in the batch: it asks for the image after the action
// among all images of the batch, but for the other image of the same static interval, by the
// distance from the prediction of code and action. Nuisance that persists over an interval does not
// help to find it.
func foresight(predicted, now, next, linked *g.Node) *g.Node {
	batch, n := predicted.Shape().Dimensions[0], linked.Shape().Dimensions[0]
	all := g.Concatenate([]*g.Node{now, next}, 0) // [2 batch, d]
	at := func(rows, from int) *g.Node {
		row := g.Iota(now.Graph(), shapes.Make(dtypes.Int32, rows), 0)
		return g.OneHot(g.AddScalar(row, float64(from)), 2*batch, dtypes.Float32)
	}
	again := g.Mul(at(n, n), g.Reshape(linked, n, 1))
	logits := g.Sub(nearness(predicted, all),
		g.MulScalar(g.Concatenate([]*g.Node{again, g.ZerosLike(again)}, 0), 1e6))
	return g.Neg(g.ReduceAllMean(g.ReduceSum(g.Mul(at(batch, batch), g.LogSoftmax(logits, -1)),
		-1)))
}

// nearness is the logits of a softmax over squared distances, of each anchor to all.
func nearness(anchors, all *g.Node) *g.Node {
	const temperature = 0.5 // squared levels: distinct states differ by about two levels
	a := g.ReduceAndKeep(g.Square(anchors), g.ReduceSum, 1)
	b := g.TransposeAllAxes(g.ReduceAndKeep(g.Square(all), g.ReduceSum, 1), 1, 0)
	cross := g.Dot(anchors, all).General([]int{1}, nil, []int{1}, nil)
	return g.DivScalar(g.Sub(g.MulScalar(cross, 2), g.Add(a, b)), temperature)
}

// contrastScale is the value of both losses at probability: for a code that separates nothing.
func contrastScale(batch int) float64 { return math.Log(float64(2*batch - 1)) }
