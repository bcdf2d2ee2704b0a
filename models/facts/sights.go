package facts

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"stripswm/internal/spread"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// sights are pairs of images that should show a change, or none, and what they show.
type sights struct {
	all    []Contradiction
	square []float64         // of the difference
	score  []float64         // what effects of actions explain, against what they do not
	looks  []strips.ActionID // the action whose effect explains most
	rest   []float64         // of successes learned from: the score without the action's own effect
}

// usual says of which actions most successes look like the action's mean effect. An action whose
// effect depends on the state, or is not seen, may look like any other.
func (s *sights) usual(actions int) []bool {
	right, n := make([]float64, actions+1), make([]float64, actions+1)
	for k, c := range s.all {
		n[c.Action]++
		if s.looks[k] == c.Action {
			right[c.Action]++
		}
	}
	usual := make([]bool, actions+1)
	for a := range usual {
		usual[a] = right[a] >= mostRight*n[a]
	}
	return usual
}

// trims is how often a contrast is learned: each time from the still pairs that show least.
const trims = 3

// mostRight is the share of pairs that show what was recorded, at least. Where fewer do, images do
// not tell changes from none, or an action's effect depends on the state.
const mostRight = 0.8

// comparison is what was learned from pairs of images.
type comparison struct {
	effects *effectImages
	limit   float64         // score above which a pair shows a change
	square  float64         // up to which a difference is one of still pairs
	usual   []bool          // by action: its successes look like its mean effect
	visible []bool          // by action: its successes show something
	rest    float64         // score above which a success shows another change than its action's
	moved   []Contradiction // successes
	noise   float64         // the greatest block of most still pairs
	// examples of successes, of actions of which there were failed attempts
	examples map[strips.ActionID]examples
}

// nothing says that a pair looks like a still one: what effects explain is as little as there, and
// so is the difference, since no effect explains what an action changes at its first success.
func (c *comparison) nothing(s *sights, k int) bool {
	return s.score[k] <= c.limit && s.square[k] <= c.square
}

// change says that effects explain more of a pair than of still ones, and that it differs more.
func (c *comparison) change(s *sights, k int) bool {
	return s.score[k] > c.limit && s.square[k] > c.square
}

// more says that a success shows more than what its action changes.
func (c *comparison) more(s *sights, k int) bool {
	return c.usual[s.all[k].Action] && c.change(s, k) && s.rest[k] > c.rest
}

// compare learns from pairs and scores all of them. It returns nil where images do not tell changes
// from none: where fewer than so many of the successes show one.
func compare(c *contrast, still, moved *sights, actions int, share float64) *comparison {
	if len(still.all) < 2*pairsPerMode || len(moved.all) < 2*pairsPerMode {
		return nil
	}
	var e *effectImages
	limit := 0.0
	var others []float64 // scores of pairs that nothing was learned from
	for round := range trims {
		var fit []Contradiction
		for k, p := range still.all {
			if k%2 == 0 && (round == 0 || still.score[k] <= limit) {
				fit = append(fit, p)
			}
		}
		if len(fit) < pairsPerMode {
			return nil
		}
		c.fit(fit, round > 0) // among the modes of all pairs are changes by hand
		e = newEffects(c, moved, actions)
		e.look(still, false)
		others = others[:0]
		for k, v := range still.score {
			if k%2 == 1 {
				others = append(others, v)
			}
		}
		slices.Sort(others)
		limit = others[int(mostRight*float64(len(others)))]
	}
	limit = limitOf(others)
	e.look(moved, true)
	n := 0
	for _, v := range moved.score {
		if v > limit {
			n++
		}
	}
	if float64(n) < share*float64(len(moved.score)) {
		return nil
	}
	seen := &comparison{effects: e, moved: moved.all,
		examples: map[strips.ActionID]examples{}, limit: limit,
		square: limitOf(slices.Clone(still.square)),
		usual:  moved.usual(actions)}
	seen.see(moved, actions)
	var blocks []float64
	for _, x := range seen.examplesOf(spread.Evenly(still.all, alikePairs)) {
		blocks = append(blocks, slices.Max(x.blocks))
	}
	slices.Sort(blocks)
	seen.noise = blocks[int(mostRight*float64(len(blocks)))]
	var rest []float64
	for k, c := range moved.all {
		if seen.usual[c.Action] && moved.score[k] > limit {
			rest = append(rest, moved.rest[k])
		}
	}
	seen.rest = limitOf(rest)
	return seen
}

// happened is what a failed attempt did: Succeeded where each part of its change is that of a
// success, or where something changed and the effect is hardly known yet; 0 where nothing changed;
// Failed where images do not tell.
func (c *comparison) happened(failed *sights, k int) traces.Outcome {
	a := failed.all[k].Action
	switch {
	case !c.visible[a]:
	case c.nothing(failed, k):
		return 0
	case c.change(failed, k) && (c.effects.n[a-1] < fewExamples || c.alike(failed.all[k])):
		return traces.Succeeded
	}
	return traces.Failed
}

// see learns of which actions images show the effect: where fewer than a fifth of the successes
// show a change, with one more as what is expected before any, they do not.
func (c *comparison) see(moved *sights, actions int) {
	shows, n := make([]float64, actions+1), make([]float64, actions+1)
	for k, p := range moved.all {
		n[p.Action]++
		if !c.nothing(moved, k) {
			shows[p.Action]++
		}
	}
	c.visible = make([]bool, actions+1)
	for a := range c.visible {
		c.visible[a] = shows[a]+1 > (1-mostRight)*n[a]
	}
}

// limitOf is beyond for values of which most are below.
func limitOf(values []float64) float64 {
	if len(values) == 0 {
		return math.Inf(1)
	}
	slices.Sort(values)
	return beyond(values[len(values)/2], values[int(mostRight*float64(len(values)))])
}

// alarms is the expected share of still pairs that count as changes. Each costs little: what
// follows is learned from as a segment of its own. A change that is missed costs facts.
const alarms = 0.001

// beyond is the score that this share of still pairs is expected above. Their scores have about a
// log-normal distribution: light and camera change each pair by another factor. Half and most are
// the quantiles 0.5 and mostRight, below which no change is.
func beyond(half, most float64) float64 {
	return half * math.Pow(most/half, distuv.UnitNormal.Quantile(1-alarms)/
		distuv.UnitNormal.Quantile(mostRight))
}

// effectImages are what each action changes in images on average.
type effectImages struct {
	c    *contrast
	sums *mat.Dense // [actions, values] over all successes
	n    []int      // successes
	gram *mat.Dense // products of the sums [actions, actions]
}

// mostParts is how many effects may explain a change, at most: a hand may move several things.
const mostParts = 6

// chunk is how many pairs are compared at a time.
const chunk = 256

func newEffects(c *contrast, moved *sights, actions int) *effectImages {
	e := &effectImages{c: c, sums: mat.NewDense(actions, len(c.scale), nil), n: make([]int, actions),
		gram: &mat.Dense{}}
	for from := 0; from < len(moved.all); from += chunk {
		to := min(from+chunk, len(moved.all))
		d := c.differences(moved.all[from:to])
		for k := from; k < to; k++ {
			a := int(moved.all[k].Action) - 1
			e.n[a]++
			row := e.sums.RawRowView(a)
			for i, v := range d.RawRowView(k - from) {
				row[i] += v
			}
		}
	}
	e.gram.Mul(e.sums, e.sums.T())
	return e
}

// look scores pairs: how much of the squared difference a few effects of actions and their undoing
// explain, in units of the mean square of what is left. Where pairs were learned from, each is
// compared with its action's other successes.
func (e *effectImages) look(s *sights, learned bool) {
	s.square, s.score, s.looks, s.rest = s.square[:0], s.score[:0], s.looks[:0], s.rest[:0]
	for from := 0; from < len(s.all); from += chunk {
		to := min(from+chunk, len(s.all))
		d := e.c.differences(s.all[from:to])
		var along mat.Dense
		along.Mul(d, e.sums.T())
		for k := from; k < to; k++ {
			row, own := d.RawRowView(k-from), -1
			if learned {
				own = int(s.all[k].Action) - 1
			}
			square := floats.Dot(row, row)
			score := func(explained, square float64) float64 {
				return explained / max(square-explained, math.SmallestNonzeroFloat64) * float64(len(row))
			}
			explained, looks, _ := e.explain(along.RawRowView(k-from), square, own, false)
			s.score = append(s.score, score(explained, square))
			if learned {
				explained, _, first := e.explain(along.RawRowView(k-from), square, own, true)
				s.rest = append(s.rest, score(explained-first, square-first))
			}
			s.looks, s.square = append(s.looks, looks), append(s.square, square)
		}
	}
}

// explain is how much of a difference's squared length a few effects explain, one after the other,
// and the action whose effect has most in common with it. Along are its products with the sums. The
// difference is left out of the sum of its own action, -1 if of none. With ownFirst the first
// effect is that of its own action; byFirst is what the first explains.
func (e *effectImages) explain(along []float64, square float64, own int, ownFirst bool) (
	explained float64, looks strips.ActionID, byFirst float64,
) {
	without := slices.Clone(along) // of what is left, with the sums to use
	if own >= 0 {
		without[own] -= square
	}
	product := func(a, b int) float64 {
		v := e.gram.At(a, b)
		if a == own {
			v -= along[b]
		}
		if b == own {
			v -= along[a]
		}
		if a == own && b == own {
			v += square
		}
		return v
	}
	for part := range mostParts {
		best, most, at := 0.0, 0.0, -1
		for a, l := range without {
			norm := product(a, a)
			if norm <= 0 || a == own && e.n[a] == 1 {
				continue
			}
			if gain := l * l / norm; gain > most && (part > 0 || !ownFirst || a == own) {
				most, at = gain, a
			}
			if l /= math.Sqrt(norm); part == 0 && l > best {
				best, looks = l, strips.ActionID(a+1)
			}
		}
		if at < 0 {
			break
		}
		if part == 0 {
			byFirst = most
		}
		explained += most
		factor := without[at] / product(at, at)
		for a := range without {
			without[a] -= factor * product(at, a)
		}
	}
	return explained, looks, byFirst
}

// pair are the two actions whose mean effects, with weights above 0, explain most of a difference,
// if the score of what they explain is above a limit.
func (e *effectImages) pair(c Contradiction, limit float64) (best [2]strips.ActionID) {
	var along mat.Dense
	d := e.c.differences([]Contradiction{c})
	along.Mul(d, e.sums.T())
	l, row := along.RawRowView(0), d.RawRowView(0)
	square := floats.Dot(row, row)
	most := square * limit / (limit + float64(len(row))) // above which the score is
	for a := range l {
		for b := range a {
			aa, bb, ab := e.gram.At(a, a), e.gram.At(b, b), e.gram.At(a, b)
			x, y := l[a]*bb-l[b]*ab, l[b]*aa-l[a]*ab // weights, times what follows
			det := aa*bb - ab*ab
			if min(x, y, det) <= 0 {
				continue
			}
			if gain := (x*l[a] + y*l[b]) / det; gain > most {
				most, best = gain, [2]strips.ActionID{strips.ActionID(b + 1), strips.ActionID(a + 1)}
			}
		}
	}
	return best
}
