package facts

import (
	"math"
	"slices"
)

// maxNodes bounds the search for the most likely vector: about 10 ms. Images of a table need a few.
const maxNodes = 20_000

// Decoded is the most likely consistent vector.
type Decoded struct {
	Values []bool
	Cost   float64 // log-odds of the outputs that it contradicts, summed
	// Exact says that no consistent vector is more likely. The search ends early on images that
	// contradict the constraints in many ways. Values is nil if it found no consistent vector.
	Exact bool
}

// Decode returns the most likely vector that satisfies the constraints, given the log-odds of each
// predicate [m]: a branch and bound over the outputs that violated constraints contradict.
func (c *Constraints) Decode(logits []float32) Decoded {
	d := decoder{c: c, weight: make([]float64, c.predicates), fixed: make([]bool, c.predicates),
		left: make([]float64, c.predicates)}
	values := make([]bool, c.predicates)
	for p := range values {
		values[p] = logits[p] > 0
		d.weight[p] = math.Abs(float64(logits[p]))
	}
	d.holds = c.literals(values)
	d.best.Cost = math.Inf(1)
	d.search(0)
	d.best.Exact = d.nodes <= maxNodes
	return d.best
}

// sure is how much less likely others are than what is decoded, nats, to be certain: one in 400.
const sure = 6

// given are the log-odds of a value that is given.
const given = 1e6

// confidence is how likely decoded values are beside the most likely vector in which a predicate in
// view has another value. Only predicates are tried whose output is not sure of their value.
func (c *Constraints) confidence(logits []float32, values []bool, v view) float64 {
	cost := func(values []bool) (sum float64) {
		for p, value := range values {
			if value != (logits[p] > 0) {
				sum += math.Abs(float64(logits[p]))
			}
		}
		return sum
	}
	least := math.Inf(1)
	for p, value := range values {
		agrees := value == (logits[p] > 0)
		if !v.counts(p) || agrees && math.Abs(float64(logits[p])) > sure {
			continue
		}
		pinned := slices.Clone(logits)
		if pinned[p] = given; value {
			pinned[p] = -given
		}
		if other := c.Decode(pinned).Values; other != nil && other[p] != value {
			least = min(least, cost(other)-cost(values))
		}
	}
	return 1 / (1 + math.Exp(-least))
}

type decoder struct {
	c      *Constraints
	holds  set       // the current literals
	weight []float64 // of contradicting an output
	left   []float64 // of the weights, for the bound
	fixed  []bool
	nodes  int
	best   Decoded
}

// search looks for vectors that contradict more outputs than those that are fixed.
func (d *decoder) search(cost float64) {
	if d.nodes++; d.nodes > maxNodes {
		return
	}
	options, bound := d.violated()
	if cost+bound >= d.best.Cost {
		return
	}
	if options == nil {
		d.best.Cost, d.best.Values = cost, make([]bool, d.c.predicates)
		for l := range d.holds.Each {
			d.best.Values[l.Predicate()] = l&1 == 0
		}
		return
	}
	slices.SortFunc(options, func(a, b literal) int {
		if x, y := d.weight[a.Predicate()], d.weight[b.Predicate()]; x != y {
			if x < y {
				return -1
			}
			return 1
		}
		return int(a - b)
	})
	for _, l := range options {
		d.fixed[l.Predicate()] = true
		d.holds.Clear(l.Not())
		d.holds.Set(l)
		d.search(cost + d.weight[l.Predicate()])
		d.holds.Clear(l)
		d.holds.Set(l.Not())
	}
	for _, l := range options {
		d.fixed[l.Predicate()] = false
	}
}

// violated returns the literals of which one has to be set, for the violated constraint with the
// fewest, and a bound of the cost of all: constraints pay from the weights of their literals, which
// no other one counts again. Without a way to satisfy a constraint the bound is infinite.
func (d *decoder) violated() (fewest []literal, bound float64) {
	copy(d.left, d.weight)
	some := false
	violated := func(literals []literal) {
		some = true
		free := literals[:0]
		least := math.Inf(1)
		for _, l := range literals {
			if !d.fixed[l.Predicate()] {
				free = append(free, l)
				least = min(least, d.left[l.Predicate()])
			}
		}
		bound += least
		for _, l := range free {
			d.left[l.Predicate()] -= least
		}
		if fewest == nil || len(free) < len(fewest) {
			fewest = slices.Clone(free)
			if fewest == nil {
				fewest = []literal{}
			}
		}
	}
	var pair [2]literal
	for l := range d.holds.Each {
		if !d.c.excludes[l].Meets(d.holds) {
			continue
		}
		for k := range d.c.excludes[l].Each {
			if k > l && d.holds.Has(k) {
				pair = [2]literal{l.Not(), k.Not()}
				violated(pair[:])
			}
		}
	}
	var scratch []literal
	for _, one := range d.c.atLeast {
		if !slices.ContainsFunc(one, d.holds.Has) {
			scratch = append(scratch[:0], one...)
			violated(scratch)
		}
	}
	for _, sum := range d.c.sums {
		if !sum.holds(d.holds) {
			violated(sum.repairs(d.holds, scratch[:0]))
		}
	}
	if !some {
		return nil, 0
	}
	return fewest, bound
}
