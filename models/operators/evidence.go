package operators

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// evidence is a task graph by what says which nodes are one state.
type evidence struct {
	g         *taskgraph.Graph
	intervals *taskgraph.Intervals
	into      [][]taskgraph.Edge          // by target
	outcomes  []map[strips.ActionID]tally // by node
}

func newEvidence(g *taskgraph.Graph, m *taskgraph.Intervals) *evidence {
	v := &evidence{g: g, intervals: m, into: make([][]taskgraph.Edge, g.NumStates()),
		outcomes: make([]map[strips.ActionID]tally, g.NumStates())}
	count := func(s strips.StateID, a strips.ActionID, o strips.StateID, n int) {
		if v.outcomes[s] == nil {
			v.outcomes[s] = map[strips.ActionID]tally{}
		}
		if v.outcomes[s][a] == nil {
			v.outcomes[s][a] = tally{}
		}
		v.outcomes[s][a][o] += n
	}
	for _, e := range g.Edges {
		v.into[e.Target] = append(v.into[e.Target], e)
		count(e.Source, e.Action, e.Target, e.Support)
	}
	for _, r := range g.Refused {
		count(r.State, r.Action, refusal, r.Count)
	}
	return v
}

// arrivalsAt lists the arrivals into two groups of nodes from other nodes, by source and action. It
// leaves out those that are likelier errors of an action that leads elsewhere.
func (v *evidence) arrivalsAt(one, two []strips.StateID) []arrival {
	var out []arrival
	for side, group := range [][]strips.StateID{one, two} {
		for _, t := range group {
			for _, e := range v.into[t] {
				if !slices.Contains(one, e.Source) && !slices.Contains(two, e.Source) {
					w := arrival{source: e.Source, action: e.Action, total: v.outcomes[e.Source][e.Action].total()}
					w.counts[side] = e.Support
					out = append(out, w)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b arrival) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.action, b.action))
	})
	sums := out[:0]
	for _, w := range out {
		if n := len(sums); n > 0 && sums[n-1].source == w.source && sums[n-1].action == w.action {
			sums[n-1].counts[0] += w.counts[0]
			sums[n-1].counts[1] += w.counts[1]
			continue
		}
		sums = append(sums, w)
	}
	return slices.DeleteFunc(sums, func(w arrival) bool {
		return !meant(max(w.counts[0], w.counts[1]), w.total)
	})
}

// pooled adds up the outcomes of an action at some nodes.
func (v *evidence) pooled(nodes []strips.StateID, a strips.ActionID) tally {
	out := tally{}
	for _, s := range nodes {
		out.add(v.outcomes[s][a])
	}
	return out
}

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

// under is the tally with each node replaced by its state.
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

// likeness is the log likelihood ratio of the tallies being samples of one state's outcomes, not of
// two states'. It is at most 0: different states may behave alike, but one state does not behave in
// two ways.
func likeness(a, b tally) float64 {
	both := tally{}
	both.add(a)
	both.add(b)
	k := len(both)
	return min(0, both.likelihood(k)-a.likelihood(k)-b.likelihood(k))
}

// likelihood is the log likelihood of the outcomes of an action, of at most k kinds: one outcome
// and errors or, seldom, several with any shares.
func (t tally) likelihood(k int) float64 {
	usual, total := t[t.usual()], 0
	several := math.Log(severalOutcomes)
	for _, o := range slices.Sorted(maps.Keys(t)) {
		total += t[o]
		several += logGamma(float64(t[o]) + 1)
	}
	several += logGamma(float64(k)) - logGamma(float64(total+k))
	return floats.LogSumExp([]float64{math.Log1p(-severalOutcomes) + withErrors(usual, total-usual),
		several})
}

func logGamma(x float64) float64 {
	l, _ := math.Lgamma(x)
	return l
}

// arrival is an action at a source that was seen to lead to one of two nodes, or to both.
type arrival struct {
	source strips.StateID
	action strips.ActionID
	counts [2]int // how often it led to each
	total  int    // and anywhere
}

// mixed says whether it led to both nodes more often than errors explain.
func (w arrival) mixed() bool { return meant(min(w.counts[0], w.counts[1]), w.total) }

// meant says whether n of total outcomes are likelier an outcome of their own than errors.
func meant(n, total int) bool {
	return n > 0 && mathext.Lbeta(float64(n)+1, float64(total-n)+1) > withErrors(total-n, n)
}

// arrivals weighs how two nodes are reached. If they are one state under two codes, all arrivals
// are samples of one share. If they are two states, each arrival leads to one of them; but errors
// happen and, seldom, a source is two states itself or its action has several outcomes.
type arrivals struct {
	sources  []strips.StateID
	mixed    []bool      // whether a source was seen to lead to both
	one, two [][]float64 // log likelihoods of a source's arrivals, at each point
}

// newArrivals takes arrivals sorted by source.
func newArrivals(list []arrival) *arrivals {
	a := &arrivals{}
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].source == list[0].source {
			n++
		}
		a.sources = append(a.sources, list[0].source)
		a.mixed = append(a.mixed, slices.ContainsFunc(list[:n], arrival.mixed))
		a.one = append(a.one, oneState(list[:n]))
		a.two = append(a.two, twoStates(list[:n]))
		list = list[n:]
	}
	return a
}

// nobody is no source.
const nobody strips.StateID = -1

// weight is the logarithm of how much likelier the arrivals are if the nodes are
// one state, without those from one source.
func (a *arrivals) weight(without strips.StateID) float64 {
	one, two := make([]float64, len(shares)*len(concentrations)), make([]float64, len(shares))
	for i, s := range a.sources {
		if s == without {
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
				l += mathext.Lbeta(float64(w.counts[0])+share*c, float64(w.counts[1])+(1-share)*c) -
					mathext.Lbeta(share*c, (1-share)*c)
			}
			out = append(out, l)
		}
	}
	return out
}

// twoStates is the log likelihood of a source's arrivals for each share of the arrivals
// that lead to the first state.
func twoStates(list []arrival) []float64 {
	var out []float64
	for _, share := range shares {
		sure, split := math.Log1p(-severalOutcomes), math.Log(severalOutcomes)
		for _, w := range list {
			sure += floats.LogSumExp([]float64{math.Log(share) + withErrors(w.counts[0], w.counts[1]),
				math.Log1p(-share) + withErrors(w.counts[1], w.counts[0])})
			split += mathext.Lbeta(float64(w.counts[0])+1, float64(w.counts[1])+1)
		}
		out = append(out, floats.LogSumExp([]float64{sure, split}))
	}
	return out
}

// withErrors is the log likelihood of so many right outcomes and so many wrong ones, all errors.
func withErrors(right, wrong int) float64 {
	var l []float64
	for _, e := range errorRates {
		l = append(l, float64(right)*math.Log1p(-e)+float64(wrong)*math.Log(e))
	}
	return logMean(l)
}

// logMean is the logarithm of the mean of likelihoods, from their logarithms.
func logMean(l []float64) float64 { return floats.LogSumExp(l) - math.Log(float64(len(l))) }

// intervalsOf counts those of which both images show the first node, one shows each, and
// both show the second.
func (v *evidence) intervalsOf(nodes [2]strips.StateID) (first, mixed, second int) {
	return v.intervals.Same[nodes[0]], v.intervals.Between(nodes[0], nodes[1]),
		v.intervals.Same[nodes[1]]
}

// oneInterval is the log likelihood ratio of so many static intervals if two codes are of one
// state, drawn for each image, against two states, both of which one interval shows only by
// errors.
func oneInterval(first, mixed, second int) float64 {
	a, b, c := float64(first), float64(mixed), float64(second)
	var one, two []float64
	for _, share := range shares {
		for _, p := range persistences {
			across := share * (1 - share)
			one = append(one, a*math.Log(share*share+p*across)+b*math.Log(2*across*(1-p))+c*math.Log(
				(1-share)*(1-share)+p*across))
		}
		for _, e := range errorRates {
			two = append(two, a*math.Log(share*(1-e))+b*math.Log(e)+c*math.Log((1-share)*(1-e)))
		}
	}
	return logMean(one) - logMean(two)
}
