package vision

import (
	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
)

// separation is the paper's L_sep: examples with the same current code and the
// same action but different successor codes push their latents away from each other, up to
// one level. The mean is over those pairs.
func separation(latent, code, successor, action *g.Node) *g.Node {
	const same = 0.25 // below the smallest squared distance of two codes, 1
	yes := func(n *g.Node) *g.Node { return g.ConvertDType(n, dtypes.Float32) }
	sameCode := yes(g.LessThan(pairwise(code), g.Scalar(code.Graph(), dtypes.Float32, same)))
	sameAction := g.Dot(action, action).General([]int{1}, nil, []int{1}, nil)
	otherSuccessor := yes(g.GreaterThan(pairwise(successor),
		g.Scalar(code.Graph(), dtypes.Float32, same)))
	pairs := g.StopGradient(g.Mul(g.Mul(sameCode, sameAction), otherSuccessor))
	push := g.MaxScalar(g.OneMinus(pairwise(latent)), 0)
	return g.Div(g.ReduceAllSum(g.Mul(pairs, push)), g.AddScalar(g.ReduceAllSum(pairs), 1e-6))
}

// pairwise squared distances of rows: [n, d] to [n, n].
func pairwise(x *g.Node) *g.Node {
	square := g.ReduceAndKeep(g.Square(x), g.ReduceSum, 1)
	cross := g.Dot(x, x).General([]int{1}, nil, []int{1}, nil)
	return g.Sub(g.Add(square, g.TransposeAllAxes(square, 1, 0)), g.MulScalar(cross, 2))
}
