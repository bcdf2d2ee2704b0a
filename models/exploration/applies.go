package exploration

import "math"

// inputs of the regression.
const (
	bias = iota
	neverSucceeded
	ownRate     // log odds; of a skill that succeeded
	afterLatest // log odds beside those of its own rate
	undoneBy    // evidence that it was undone since it succeeded
	notUndone   // evidence that it was not
	fromFacts   // log odds by its version space
	hasFacts
	unknownFacts // literals of unknown value that it may need
	triedHere    // in a state of the same facts: 1 where it succeeded, -1 where it was refused
	refusals     // logarithm of those since it last succeeded; of a skill that succeeded
	leastTried   // logarithm of the refusals with what is in effect; of a skill that never succeeded
	learned      // inputs whose weights are learned
	// neverRate is the log odds of a skill that never succeeded, by the number of states in which it
	// was refused; where it was refused in this one, by that of refusals. Its weight is 1, since the
	// regression would find that what never succeeded never will, and no attempt would correct it.
	neverRate = learned
	inputs    = learned + 1
)

// vector is what the regression knows of an action in a state.
type vector [inputs]float64

// first are the weights before any attempt: they hold for any world, since all inputs are evidence
// in the same unit, and 16 attempts of experience correct them.
var first = vector{ownRate: 1, afterLatest: 1, undoneBy: 0.3, notUndone: -1, fromFacts: 0.5,
	triedHere: 2, refusals: -0.3, unknownFacts: -0.1, leastTried: -0.5,
	neverRate: 1}

// regression is an online logistic regression: one Newton step (Kalman filter) an attempt.
type regression struct {
	weights    vector
	covariance [inputs]vector
	rare       [2]float64 // outcomes of attempts that were predicted to be rare: refused, succeeded
}

// rare is a probability from which facts decide nearly alone, and one that is not a fact of the
// world may rule out what applies.
const rare = 0.01

// least is the smallest probability in a state in which the action was not tried yet: the share
// that succeeded of what was predicted to be rare, with half a success as prior.
func (r *regression) least() float64 {
	return min(rare, (r.rare[1]+0.5)/(r.rare[0]+r.rare[1]+1))
}

// drift is the variance that an attempt adds to each weight: the meaning of inputs changes when
// facts are learned.
const drift = 1e-4

func newRegression() *regression {
	r := &regression{weights: first}
	for i := range learned {
		r.covariance[i][i] = 1
	}
	return r
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// predict is the probability that an action with these inputs applies.
func (r *regression) predict(x *vector) float64 {
	z := 0.0
	for i, w := range r.weights {
		z += w * x[i]
	}
	return sigmoid(z)
}

// observe corrects the weights by an outcome.
func (r *regression) observe(x *vector, applied bool) {
	p := r.predict(x)
	if p < rare && applied {
		r.rare[1]++
	} else if p < rare {
		r.rare[0]++
	}
	var gain vector // covariance times x
	scale := 0.0
	for i := range learned {
		r.covariance[i][i] += drift
		for j := range x {
			gain[i] += r.covariance[i][j] * x[j]
		}
		scale += gain[i] * x[i]
	}
	slope := p * (1 - p)
	err := -p
	if applied {
		err = 1 - p
	}
	k := 1 / (1 + slope*scale)
	for i := range gain {
		r.weights[i] += k * err * gain[i]
		for j := range gain {
			r.covariance[i][j] -= k * slope * gain[i] * gain[j]
		}
	}
}

// entropy is the information of an outcome with the probability p, in bits.
func entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -p*math.Log2(p) - (1-p)*math.Log2(1-p)
}
