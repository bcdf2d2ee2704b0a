package facts

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"stripswm/models/strips"
)

// sights are pairs of images that should show a change, or none, and what they show.
type sights struct {
	all    []Contradiction
	square []float64         // of the difference
	score  []float64         // what effects of actions explain, against what they do not
	looks  []strips.ActionID // the action whose effect explains most
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
	limit   float64 // score from which a pair shows a change
	usual   []bool  // by action: its successes look like its mean effect
}

// compare learns from pairs and scores all of them. It returns nil where images do not tell changes
// from none: where fewer than so many of the successes show one.
func compare(c *contrast, still, moved *sights, actions int, share float64) *comparison {
	if len(still.all) < 2*pairsPerMode || len(moved.all) < 2*pairsPerMode {
		return nil
	}
	var e *effectImages
	half, limit := 0.0, 0.0
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
		var others []float64 // of pairs that nothing was learned from
		for k, v := range still.score {
			if k%2 == 1 {
				others = append(others, v)
			}
		}
		slices.Sort(others)
		half, limit = others[len(others)/2], others[int(mostRight*float64(len(others)))]
	}
	limit = beyond(half, limit)
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
	return &comparison{e, limit, moved.usual(actions)}
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
	s.square, s.score, s.looks = s.square[:0], s.score[:0], s.looks[:0]
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
			square := dot(row, row)
			explained, looks := e.explain(along.RawRowView(k-from), square, own)
			left := max(square-explained, math.SmallestNonzeroFloat64)
			s.score = append(s.score, explained/left*float64(len(row)))
			s.looks, s.square = append(s.looks, looks), append(s.square, square)
		}
	}
}

// explain is how much of a difference's squared length a few effects explain, one after the other,
// and the action whose effect has most in common with it. Along are its
// products with the sums. The difference is left out of the sum of its own action, -1 if of none.
func (e *effectImages) explain(along []float64, square float64, own int) (explained float64,
	looks strips.ActionID,
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
			if gain := l * l / norm; gain > most {
				most, at = gain, a
			}
			if l /= math.Sqrt(norm); part == 0 && l > best {
				best, looks = l, strips.ActionID(a+1)
			}
		}
		if at < 0 {
			break
		}
		explained += most
		factor := without[at] / product(at, at)
		for a := range without {
			without[a] -= factor * product(at, a)
		}
	}
	return explained, looks
}

// pair are the two actions whose mean effects, with weights above 0, explain most of a difference,
// if the score of what they explain is above a limit.
func (e *effectImages) pair(c Contradiction, limit float64) (best [2]strips.ActionID) {
	var along mat.Dense
	d := e.c.differences([]Contradiction{c})
	along.Mul(d, e.sums.T())
	l, row := along.RawRowView(0), d.RawRowView(0)
	square := dot(row, row)
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
