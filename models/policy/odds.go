package policy

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// features of an untried pair: a constant, the log odds by its neighbours, and whether the
// operators so far allow or forbid it (neither, of an action that was never seen to succeed).
type features [4]float64

// believed are the weights before any attempt: neighbours are right, and operators make a
// pair e times as likely or unlikely. Their variance is 1.
var believed = features{0, 1, 1, -1}

// calibration is how the features of pairs told, so far, whether they applied: logistic regression
// on every pair's first attempt.
type calibration struct {
	weights features
	seen    []features
	applied []bool
}

func newCalibration() calibration { return calibration{weights: believed} }

// odds is the probability that a pair applies.
func (c *calibration) odds(x features) float64 {
	sum := 0.0
	for i, w := range c.weights {
		sum += w * x[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// learn adds the outcome of a pair's first attempt, and takes Newton's step towards the weights
// that are likeliest now. One is enough: the next outcome brings another.
func (c *calibration) learn(x features, applied bool) {
	c.seen, c.applied = append(c.seen, x), append(c.applied, applied)
	n := len(believed)
	slope, curvature := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
	for i := range n {
		slope.SetVec(i, believed[i]-c.weights[i])
		curvature.SetSym(i, i, 1)
	}
	for k, x := range c.seen {
		p, y := c.odds(x), 0.0
		if c.applied[k] {
			y = 1
		}
		for i := range n {
			slope.SetVec(i, slope.AtVec(i)+(y-p)*x[i])
			for j := i; j < n; j++ {
				curvature.SetSym(i, j, curvature.At(i, j)+p*(1-p)*x[i]*x[j])
			}
		}
	}
	var root mat.Cholesky
	if !root.Factorize(curvature) {
		return // the weights stay; cannot be, with 1 on the diagonal, but for rounding
	}
	var step mat.VecDense
	if err := root.SolveVecTo(&step, slope); err != nil {
		return
	}
	for i := range n {
		// a standard deviation of what was believed, at most
		c.weights[i] += max(-1, min(1, step.AtVec(i)))
	}
}
