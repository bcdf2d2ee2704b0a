package operators

import (
	"math"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// errorShare is the largest share of misread images and wrong labels that is
// reckoned with.
const errorShare = taskgraph.ErrorShare

// Points at which unknown figures are integrated, all equally likely beforehand.
var (
	// shares of two codes in the images of one state, and of two states among
	// the arrivals that lead to either
	shares = []float64{0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97}
	// concentrations of an arrival's own share about the common one: what tells the
	// codes distinct may persist, so that the samples of an arrival are worth fewer than they
	// number. The last is none of that.
	concentrations = []float64{2, 8, 32, 1000}
	errorRates     = []float64{errorShare / 100, errorShare / 30, errorShare / 10, errorShare / 3,
		errorShare}
)

// arrival is one action at one node that was seen to lead to a node or to another.
type arrival struct {
	source strips.StateID
	action strips.ActionID
	counts [2]int
	total  int // with other outcomes
}

// mixed says whether the arrival was seen to lead to both in numbers that errors do not
// explain.
func (w arrival) mixed() bool { return meant(min(w.counts[0], w.counts[1]), w.total) }

// meant says whether n of so many outcomes are likelier one outcome of several in
// earnest than errors.
func meant(n, total int) bool {
	return n > 0 && logBeta(float64(n)+1, float64(total-n)+1) > withErrors(total-n, n)
}

// arrivals weighs how two nodes are reached: whether the arrivals in are samples of one
// share, as those into one state under two codes are, or each leads to one of two
// states. Under the second hypothesis errors happen, and a source may, with the
// nondeterministic outcome given, be two states itself or have its outcomes in fact.
type arrivals struct {
	sources  []strips.StateID
	mixed    []bool      // whether a source was seen to lead to both
	one, two [][]float64 // log likelihoods of a source's arrivals, at each point
}

// newArrivals takes arrivals sorted by source.
func newArrivals(list []arrival, outcome float64) *arrivals {
	a := &arrivals{}
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].source == list[0].source {
			n++
		}
		a.sources = append(a.sources, list[0].source)
		a.mixed = append(a.mixed, slices.ContainsFunc(list[:n], arrival.mixed))
		a.one = append(a.one, oneState(list[:n]))
		a.two = append(a.two, twoStates(list[:n], outcome))
		list = list[n:]
	}
	return a
}

// weight is the logarithm of how much likelier the arrivals are if the nodes are
// one state, without those from some sources.
func (a *arrivals) weight(without []strips.StateID) float64 {
	one, two := make([]float64, len(shares)*len(concentrations)), make([]float64, len(shares))
	for i, s := range a.sources {
		if slices.Contains(without, s) {
			continue
		}
		for k, l := range a.one[i] {
			one[k] += l
		}
		for k, l := range a.two[i] {
			two[k] += l
		}
	}
	return logMean(one) - logMean(two)
}

// oneState is the log likelihood of the arrivals for each share and concentration.
func oneState(list []arrival) []float64 {
	var out []float64
	for _, share := range shares {
		for _, c := range concentrations {
			l := 0.0
			for _, w := range list {
				l += logBeta(float64(w.counts[0])+share*c, float64(w.counts[1])+(1-share)*c) - logBeta(share*c,
					(1-share)*c)
			}
			out = append(out, l)
		}
	}
	return out
}

// twoStates is the log likelihood of a source's arrivals for each share of the arrivals
// that lead to the first state.
func twoStates(list []arrival, outcome float64) []float64 {
	var out []float64
	for _, share := range shares {
		sure, split := math.Log1p(-outcome), math.Log(outcome)
		for _, w := range list {
			sure += logAdd(math.Log(share)+withErrors(w.counts[0], w.counts[1]),
				math.Log1p(-share)+withErrors(w.counts[1], w.counts[0]))
			split += logBeta(float64(w.counts[0])+1, float64(w.counts[1])+1)
		}
		out = append(out, logAdd(sure, split))
	}
	return out
}

// withErrors is the log likelihood of so many right and wrong outcomes where
// only errors are wrong.
func withErrors(right, wrong int) float64 {
	var l []float64
	for _, e := range errorRates {
		l = append(l, float64(right)*math.Log1p(-e)+float64(wrong)*math.Log(e))
	}
	return logMean(l)
}

func logBeta(a, b float64) float64 { return logGamma(a) + logGamma(b) - logGamma(a+b) }

// logAdd is log(exp(a) + exp(b)).
func logAdd(a, b float64) float64 {
	return max(a, b) + math.Log1p(math.Exp(-math.Abs(a-b)))
}

// logMean is the logarithm of the mean of likelihoods, from their logarithms.
func logMean(l []float64) float64 {
	most, sum := slices.Max(l), 0.0
	for _, x := range l {
		sum += math.Exp(x - most)
	}
	return most + math.Log(sum/float64(len(l)))
}
