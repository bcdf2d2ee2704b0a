package vision

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"

	"stripswm/models/networks"
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
		value: func(in inputs, _ func(*g.Node) *g.Node) *g.Node {
			return distance(in[predicted], in[target])
		},
	},
	{ // L_inv
		name: "inverse", inputs: []input{inferred, action},
		value: func(in inputs, _ func(*g.Node) *g.Node) *g.Node {
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
			return head{mlp{"choice", m.Hidden, 1}, m.FSQ.Dims, m.Actions}
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

// input is the name of something that losses compare.
type input string

// Latents are [batch, dims], in level units, bounded and not rounded.
const (
	now       input = "now"       // student's latent of the image before
	next      input = "next"      // student's latent of the image after
	augmented input = "augmented" // student's latent of a varied image before
	nowCode   input = "now code"  // now, rounded, with a straight-through gradient
	nextCode  input = "next code" // next, likewise
	target    input = "target"    // teacher's code of the image after; no gradient
	predicted input = "predicted" // latent of the successor, by the dynamics head
	inferred  input = "inferred"  // logits of the action [batch, L], by the inverse head
	action    input = "action"    // the action, one-hot [batch, L]
	dither    input = "dither"    // uniform noise of one level [batch, dims]
	linked    input = "linked"    // [batch/2], 1 where row batch/2+i starts where row i ended
)

// inputs are the nodes of a training step's graph, by name.
type inputs map[input]*g.Node

// only keeps the named ones.
func (in inputs) only(names []input) inputs {
	kept := inputs{}
	for _, name := range names {
		kept[name] = in[name]
	}
	return kept
}

// views are the student's latents in use, in the order of a batch's images.
func (m WorldModel) views() []input {
	views := []input{now, next}
	if m.Objective.asks(augmented) {
		views = append(views, augmented)
	}
	return views
}

// inputs names what losses compare: h [views * batch, dims] is the student's
// output for the views, teacherOut [batch, dims] the teacher's for the image after.
func (m WorldModel) inputs(w *networks.Weights, h, teacherOut, actions, noise,
	links *g.Node) inputs {
	batch := actions.Shape().Dimensions[0]
	in := inputs{dither: noise, linked: links, action: g.OneHot(actions, m.Actions, dtypes.Float32)}
	for i, view := range m.views() {
		in[view] = m.FSQ.bound(g.Slice(h, g.AxisRange(i*batch, (i+1)*batch)))
	}
	in[target] = g.StopGradient(m.FSQ.quantize(m.FSQ.bound(teacherOut)))
	in[nowCode], in[nextCode] = m.FSQ.quantize(in[now]), m.FSQ.quantize(in[next])
	in[predicted] = m.dynamics().apply(w, g.Concatenate([]*g.Node{in[nowCode], in[action]}, 1))
	in[inferred] = m.inverse().apply(w, g.Concatenate([]*g.Node{in[nowCode], in[nextCode]}, 1))
	return in
}

// Objective is what stage 1 minimises: the losses in use, by name, with their weights.
type Objective map[string]Term

// Term is a loss's part in an objective.
type Term struct {
	Weight float64
	Warmup int // steps over which it grows from nothing to its weight
	Stable int // steps until it decays to decayedWeight, or Separated; 0: it never decays
}

// lossNames lists the losses that there are.
func lossNames() []string {
	names := make([]string, len(losses))
	for i, l := range losses {
		names[i] = l.name
	}
	return names
}

// With returns the objective with another weight for a loss, which 0 leaves out.
func (o Objective) With(name string, weight float64) (Objective, error) {
	changed := maps.Clone(o)
	t := changed[name]
	t.Weight = weight
	changed[name] = t
	return changed, changed.validate()
}

// Discrimination is the loss that separates images beyond what actions need, contrast or foresight;
// empty where neither is in use.
func (o Objective) Discrimination() string {
	for _, name := range []string{"contrast", "foresight"} {
		if o[name].Weight > 0 {
			return name
		}
	}
	return ""
}

func (o Objective) validate() error {
	names := lossNames()
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("no loss is called %q: choose %s", name, strings.Join(names, ", "))
		}
		if w := o[name].Weight; !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("loss %s: weight %g: choose a number from 0", name, w)
		}
	}
	if len(o.terms()) == 0 {
		return fmt.Errorf("no loss has a weight")
	}
	return nil
}

// term is a loss in use.
type term struct {
	loss
	Term
}

// terms are the losses in use, in the order of the list.
func (o Objective) terms() []term {
	var terms []term
	for _, l := range losses {
		if t := o[l.name]; t.Weight != 0 {
			terms = append(terms, term{l, t})
		}
	}
	return terms
}

// asks says whether a loss in use compares the input.
func (o Objective) asks(in input) bool {
	return slices.ContainsFunc(o.terms(),
		func(t term) bool { return slices.Contains(t.inputs, in) })
}

// shares are the shares of their weights that the losses in use have at a step; separated is as in
// decay.
func (o Objective) shares(step, separated int) []float32 {
	var shares []float32
	for _, t := range o.terms() {
		shares = append(shares, t.share(step, separated))
	}
	return shares
}

// lossValues returns the weighted total and the value of each loss in use, scalars;
// shares [terms] are Objective.shares.
func (m WorldModel) lossValues(w *networks.Weights, all inputs, shares *g.Node) (total *g.Node,
	values []*g.Node) {
	total = g.ScalarZero(shares.Graph(), dtypes.Float32)
	for i, t := range m.Objective.terms() {
		value := t.value(all.only(t.inputs),
			func(x *g.Node) *g.Node { return t.head(m).apply(w, x) })
		share := g.Reshape(g.Slice(shares, g.AxisElem(i)))
		total = g.Add(total, g.Mul(share, g.MulScalar(value, t.Weight)))
		values = append(values, value)
	}
	return total, values
}

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

// continuity is the mean squared distance, over the static intervals in the batch, of the images at
// the two ends: two images of one state, taken at different times. The first ends are rows of the
// first half of next, the second ends rows of the second half of now.
func continuity(now, next, linked *g.Node) *g.Node {
	n := linked.Shape().Dimensions[0]
	first, last := g.Slice(next, g.AxisRange(0, n)), g.Slice(now, g.AxisRange(n, 2*n))
	distance := g.ReduceSum(g.Square(g.Sub(first, last)), -1)
	return g.Div(g.ReduceAllSum(g.Mul(linked, distance)), g.AddScalar(g.ReduceAllSum(linked), 1e-6))
}

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
			return g.OneHot(g.AddScalar(row, float64(from)), 4*n, dtypes.Float32)
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

// contrastScale is the value of contrast and foresight by chance, for a code that separates
// nothing.
func contrastScale(batch int) float64 { return math.Log(float64(2*batch - 1)) }
