package networks

import (
	"math"

	g "github.com/gomlx/gomlx/core/graph"
)

// Optimizer holds AdamW's settings (Loshchilov and Hutter 2019). With
// WeightDecay 0 it is Adam.
type Optimizer struct {
	LearningRate float64
	WeightDecay  float64
	Warmup       int     // steps of linear warm-up
	Beta1, Beta2 float64 // decay of the gradient's moments
}

const adamEpsilon = 1e-8

// Rates are the optimiser's numbers that change with the step, as a vector for
// the graph: learning rate and the two bias corrections.
func (o Optimizer) Rates(step int) [3]float32 {
	t := float64(step + 1)
	lr := o.LearningRate
	if step < o.Warmup {
		lr *= t / float64(o.Warmup)
	}
	return [3]float32{float32(lr), float32(1 - math.Pow(o.Beta1, t)),
		float32(1 - math.Pow(o.Beta2, t))}
}

// state is what training carries from step to step, flat vectors [total].
type state[T any] struct {
	weights, first, second T
}

// update is one step; mask says where weight decay applies.
func (o Optimizer) update(s state[*g.Node], gradient, mask, rates *g.Node) state[*g.Node] {
	rate := func(i int) *g.Node { return g.Reshape(g.Slice(rates, g.AxisElem(i)), 1) }
	first := mix(s.first, gradient, o.Beta1)
	second := mix(s.second, g.Square(gradient), o.Beta2)
	scale := g.AddScalar(g.Sqrt(g.Div(second, rate(2))), adamEpsilon)
	direction := g.Div(g.Div(first, rate(1)), scale)
	if o.WeightDecay > 0 {
		direction = g.Add(direction, g.MulScalar(g.Mul(mask, s.weights), o.WeightDecay))
	}
	return state[*g.Node]{
		weights: g.Sub(s.weights, g.Mul(direction, rate(0))),
		first:   first,
		second:  second,
	}
}

// mix is the moving average keep*old + (1-keep)*new.
func mix(old, new *g.Node, keep float64) *g.Node {
	return g.Add(g.MulScalar(old, keep), g.MulScalar(new, 1-keep))
}
