package operators

import (
	"maps"
	"math"
	"slices"

	"stripswm/models/strips"
)

// refusal is the outcome of an action that was refused; others are the nodes it led to.
const refusal strips.StateID = -1

// tally counts the outcomes of one action at a node.
type tally map[strips.StateID]int

func (t tally) add(other tally) {
	for o, n := range other {
		t[o] += n
	}
}

func (t tally) total() int {
	n := 0
	for _, count := range t {
		n += count
	}
	return n
}

// under is the tally over the states that its nodes are of.
func (t tally) under(state func(strips.StateID) strips.StateID) tally {
	out := tally{}
	for o, n := range t {
		if o != refusal {
			o = state(o)
		}
		out[o] += n
	}
	return out
}

// usual is the most frequent outcome, of several the first.
func (t tally) usual() strips.StateID {
	best := refusal
	for _, o := range slices.Sorted(maps.Keys(t)) {
		if t[o] > t[best] {
			best = o
		}
	}
	return best
}

// likeness is the logarithm of how much likelier the tallies are if they are samples of
// one state's outcomes than of two states', at most 0: different states may behave
// likeness, one state may not behave in two ways.
func likeness(a, b tally, outcome float64) float64 {
	both := tally{}
	both.add(a)
	both.add(b)
	k := len(both)
	return min(0, both.likelihood(k, outcome)-a.likelihood(k, outcome)-b.likelihood(k, outcome))
}

// likelihood is the log likelihood of the outcomes of an action, of k at most: one
// outcome save errors or, with the nondeterministic outcome given, several of any shares.
func (t tally) likelihood(k int, outcome float64) float64 {
	usual, total := t[t.usual()], 0
	several := math.Log(outcome)
	for _, o := range slices.Sorted(maps.Keys(t)) {
		total += t[o]
		several += logGamma(float64(t[o]) + 1)
	}
	several += logGamma(float64(k)) - logGamma(float64(total+k))
	return logAdd(math.Log1p(-outcome)+withErrors(usual, total-usual), several)
}

func logGamma(x float64) float64 {
	l, _ := math.Lgamma(x)
	return l
}
