package vision

import (
	g "github.com/gomlx/gomlx/core/graph"
)

// loss is one term of stage 1's objective. A new one is an entry in the list
// below and a weight in a preset.
type loss struct {
	name   string
	inputs []input // what it compares
	// head describes a perceptron that serves this loss alone; nil: it has none.
	head func(m WorldModel) head
	// value is the loss of a batch, a scalar; own applies the head.
	value func(in inputs, own func(*g.Node) *g.Node) *g.Node
}

// losses are all losses, in the order in which they are summed. Squared distances are sums over the
// latent dimensions, in squared level units, averaged over the batch.
var losses = []loss{
	{ // L_dyn
		name: "dynamics", inputs: []input{predicted, target},
		value: func(in inputs,
			_ func(*g.Node) *g.Node) *g.Node {
			return distance(in[predicted], in[target])
		},
	},
	{ // L_inv
		name: "inverse", inputs: []input{inferred, action},
		value: func(in inputs,
			_ func(*g.Node) *g.Node) *g.Node {
			return crossEntropy(in[inferred], in[action])
		},
	},
	{ // L_com, over both images
		name: "commitment", inputs: []input{now, next, nowCode, nextCode},
		value: func(in inputs, _ func(*g.Node) *g.Node) *g.Node {
			return g.Add(distance(in[now], g.StopGradient(in[nowCode])),
				distance(in[next], g.StopGradient(in[nextCode])))
		},
	},
	{ // L_aug: a varied image gets the code of the image itself
		name: "augment", inputs: []input{augmented, nowCode},
		value: func(in inputs, _ func(*g.Node) *g.Node) *g.Node {
			return distance(in[augmented], g.StopGradient(in[nowCode]))
		},
	},
	{ // L_sep
		name: "separation", inputs: []input{now, nowCode, target, action},
		value: func(in inputs, _ func(*g.Node) *g.Node) *g.Node {
			return separation(in[now], g.StopGradient(in[nowCode]), in[target], in[action])
		},
	},
	{ // ours: the successor's latent towards the prediction
		name: "pull", inputs: []input{next, predicted},
		value: func(in inputs, _ func(*g.Node) *g.Node) *g.Node {
			return distance(in[next], g.StopGradient(in[predicted]))
		},
	},
	{
		// Ours: the action chosen, predicted from the current latent alone. Under a random
		// policy the choice depends on the state only through which actions apply, so this
		// loss separates states with different actions. The other losses do not: two states
		// without a common action can share a code, and all predictions are right. With the
		// noise, distinct states have to differ by a level, as in the rounded code, but the
		// slope between levels stays, without which it is never learned.
		name: "choice", inputs: []input{now, dither, action},
		head: func(m WorldModel) head {
			return head{mlp{"choice", m.Hidden, 1}, m.FSQ.Dims,
				m.Actions}
		},
		value: func(in inputs, own func(*g.Node) *g.Node) *g.Node {
			return crossEntropy(own(g.Add(in[now], in[dither])), in[action])
		},
	},
	{ // ours: both ends of a static interval have one latent
		name: "continuity", inputs: []input{now, next, linked},
		value: func(in inputs, _ func(*g.Node) *g.Node) *g.Node {
			return continuity(in[now], in[next], in[linked])
		},
	},
	{ // ours: which image of the batch is the other end of the static interval
		name: "contrast", inputs: []input{now, next, linked},
		value: func(in inputs, _ func(*g.Node) *g.Node) *g.Node {
			return contrast(in[now], in[next], in[linked])
		},
	},
	{ // ours: which image of the batch was predicted
		name: "foresight", inputs: []input{predicted, now, next, linked},
		value: func(in inputs, _ func(*g.Node) *g.Node) *g.Node {
			return foresight(in[predicted], in[now], in[next], in[linked])
		},
	},
}

// distance is the mean over the batch of the squared distance |a - b|^2.
func distance(a, b *g.Node) *g.Node {
	return g.ReduceAllMean(g.ReduceSum(g.Square(g.Sub(a, b)), -1))
}

// crossEntropy is the mean over the batch of logits against one-hot labels.
func crossEntropy(logits, labels *g.Node) *g.Node {
	return g.Neg(g.ReduceAllMean(g.ReduceSum(g.Mul(labels, g.LogSoftmax(logits, -1)), -1)))
}
