package vision

import (
	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
)

// Weights of the stage 1 losses. All squared distances are sums over the latent
// dimensions of squared level units, averaged over the batch; the package
// documentation says how this convention relates to the paper's numbers.
type Weights struct {
	Dynamics   float64 `json:"dynamics"`   // L_dyn, 1 in the paper
	Inverse    float64 `json:"inverse"`    // L_inv
	Commitment float64 `json:"commitment"` // L_com
	Augment    float64 `json:"augment"`    // L_aug; 0 leaves its branch out
	Separation float64 `json:"separation"` // L_sep
	Pull       float64 `json:"pull"`       // ours: the successor's latent towards the prediction
	Choice     float64 `json:"choice"`     // ours: the action chosen, predicted from the current code alone
	Continuity float64 `json:"continuity"` // ours: what one transition leaves and the next one finds
}

// lossNames are the parts of the total, in the order of the metrics vector.
var lossNames = []string{"total", "dynamics", "inverse", "commitment", "augment", "separation", "pull", "choice", "continuity", "inverse_accuracy"}

// latents are the values that the losses compare; each [batch, dims].
type latents struct {
	now, next *g.Node // student, bounded, before rounding
	augmented *g.Node // student on the augmented current image; nil without
	target    *g.Node // teacher's quantised successor code, no gradient
	dither    *g.Node // uniform noise of one level, for the choice head
	linked    *g.Node // [batch/2], 1 where row batch/2+i found what row i left
}

// losses returns the weighted total (a scalar) and the metrics [len(lossNames)].
// scales [3] are Schedule.scales.
func (m WorldModel) losses(w *weights, z latents, actions, scales *g.Node) (total, metrics *g.Node) {
	oneHot := g.OneHot(actions, m.Actions, dtypes.Float32)
	now, next := m.FSQ.quantize(z.now), m.FSQ.quantize(z.next)
	predicted := m.dynamics().apply(w, g.Concatenate([]*g.Node{now, oneHot}, 1))
	logits := m.inverse().apply(w, g.Concatenate([]*g.Node{now, next}, 1))
	crossEntropy := func(logits *g.Node) *g.Node {
		return g.Neg(g.ReduceAllMean(g.ReduceSum(g.Mul(oneHot, g.LogSoftmax(logits, -1)), -1)))
	}

	zero, one := g.ScalarZero(actions.Graph(), dtypes.Float32), g.ScalarOne(actions.Graph(), dtypes.Float32)
	scale := func(i int) *g.Node { return g.Reshape(g.Slice(scales, g.AxisElem(i))) }
	hold, guide, unite := scale(0), scale(1), scale(2)
	parts := []struct {
		weight float64
		value  *g.Node
		scale  *g.Node
	}{
		{m.Weights.Dynamics, distance(predicted, z.target), one},
		{m.Weights.Inverse, crossEntropy(logits), one},
		{m.Weights.Commitment, g.Add(distance(z.now, g.StopGradient(now)), distance(z.next, g.StopGradient(next))), hold},
		{m.Weights.Augment, zero, one},
		{m.Weights.Separation, separation(z.now, g.StopGradient(now), z.target, oneHot), one},
		{m.Weights.Pull, distance(z.next, g.StopGradient(predicted)), hold},
		{m.Weights.Choice, zero, guide},
		{m.Weights.Continuity, continuity(z), unite},
	}
	if z.augmented != nil {
		parts[3].value = distance(z.augmented, g.StopGradient(now))
	}
	if m.Weights.Choice != 0 {
		parts[6].value = crossEntropy(m.choice().apply(w, g.Add(z.now, z.dither)))
	}
	total = zero
	values := []*g.Node{nil}
	for _, p := range parts {
		values = append(values, p.value)
		if p.weight != 0 {
			total = g.Add(total, g.Mul(p.scale, g.MulScalar(p.value, p.weight)))
		}
	}
	values[0] = total
	hit := g.Equal(g.ArgMax(logits, -1, dtypes.Int32), actions)
	values = append(values, g.ReduceAllMean(g.ConvertDType(hit, dtypes.Float32)))
	for i := range values {
		values[i] = g.Reshape(values[i], 1)
	}
	return total, g.Concatenate(values, 0)
}

// continuity is the mean squared distance, over the batch's links, of what one
// transition left and what the next one found: two pictures of one state, taken at
// different times. The rows of the one are the first half, of the other the second.
func continuity(z latents) *g.Node {
	n := z.linked.Shape().Dimensions[0]
	left, found := g.Slice(z.next, g.AxisRange(0, n)), g.Slice(z.now, g.AxisRange(n, 2*n))
	apart := g.ReduceSum(g.Square(g.Sub(left, found)), -1)
	return g.Div(g.ReduceAllSum(g.Mul(z.linked, apart)), g.AddScalar(g.ReduceAllSum(z.linked), 1e-6))
}

// distance is the mean over the batch of the squared distance |a - b|^2.
func distance(a, b *g.Node) *g.Node {
	return g.ReduceAllMean(g.ReduceSum(g.Square(g.Sub(a, b)), -1))
}

// separation is the paper's L_sep: examples with the same current code and the
// same action but different successor codes push their latents apart, up to
// one level. The mean is over those pairs.
func separation(latent, code, successor, action *g.Node) *g.Node {
	const same = 0.25 // below the smallest squared distance of two codes, 1
	yes := func(n *g.Node) *g.Node { return g.ConvertDType(n, dtypes.Float32) }
	sameCode := yes(g.LessThan(pairwise(code), g.Scalar(code.Graph(), dtypes.Float32, same)))
	sameAction := g.Dot(action, action).General([]int{1}, nil, []int{1}, nil)
	otherSuccessor := yes(g.GreaterThan(pairwise(successor), g.Scalar(code.Graph(), dtypes.Float32, same)))
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
