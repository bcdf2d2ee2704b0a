package facts

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"stripswm/models/strips"
)

// sights are pairs of images that should show a change, or none, and what they show.
type sights struct {
	all   []Contradiction
	pairs []imagePair
	score []float64         // of the likeliest effect of an action, or its undoing
	looks []strips.ActionID // whose effect it is, if it is no undoing
}

func (s *sights) add(c Contradiction) {
	s.all, s.pairs = append(s.all, c), append(s.pairs, c.Images)
}

// usual says of which actions most successes look like the action's mean effect. An action whose
// effect depends on the state may look like any other, and one whose effect is not seen like none.
func (s *sights) usual(limit float64, actions int) []bool {
	right, n := make([]float64, actions+1), make([]float64, actions+1)
	for k, c := range s.all {
		n[c.Action]++
		if s.score[k] > limit && s.looks[k] == c.Action {
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

// look scores all pairs and returns the score from which one shows a change. It is false where
// images do not tell.
func look(c *contrast, still, moved *sights, actions int) (limit float64, tell bool) {
	var e *effectImages
	half := 0.0
	for round := range trims {
		var fit []imagePair
		for k, p := range still.pairs {
			if k%2 == 0 && (round == 0 || still.score[k] <= limit) {
				fit = append(fit, p)
			}
		}
		if len(fit) < pairsPerMode {
			return 0, false
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
	return limit, float64(n) >= mostRight*float64(len(moved.score))
}

// alarms is the expected share of still pairs that count as changes. Each costs little: what
// follows is learned from as a segment of its own. A change that is missed costs facts.
const alarms = 0.001

// beyond is the value that this share of still pairs is expected above: the greatest of many
// squares of normal values falls off exponentially. Half and most are the quantiles 0.5 and
// mostRight, below which no change is.
func beyond(half, most float64) float64 {
	scale := (most - half) / math.Log(0.5/(1-mostRight))
	return most + scale*math.Log((1-mostRight)/alarms)
}

// effectImages are what each action changes in images on average.
type effectImages struct {
	c    *contrast
	sums *mat.Dense // [actions, values] over all successes
	n    []int      // successes
	norm []float64  // of the sums, squared
}

// chunk is how many pairs are compared at a time.
const chunk = 256

func newEffects(c *contrast, moved *sights, actions int) *effectImages {
	e := &effectImages{c: c, sums: mat.NewDense(actions, len(c.scale), nil), n: make([]int, actions)}
	for from := 0; from < len(moved.pairs); from += chunk {
		to := min(from+chunk, len(moved.pairs))
		d := c.differences(moved.pairs[from:to])
		for k := from; k < to; k++ {
			a := int(moved.all[k].Action) - 1
			e.n[a]++
			row := e.sums.RawRowView(a)
			for i, v := range d.RawRowView(k - from) {
				row[i] += v
			}
		}
	}
	for a := range actions {
		row := e.sums.RawRowView(a)
		e.norm = append(e.norm, dot(row, row))
	}
	return e
}

// look scores pairs by the effect that is most in them: the squared length of the difference along
// it. Where pairs were learned from, each is compared with its action's other successes.
func (e *effectImages) look(s *sights, learned bool) {
	s.score, s.looks = s.score[:0], s.looks[:0]
	for from := 0; from < len(s.pairs); from += chunk {
		to := min(from+chunk, len(s.pairs))
		d := e.c.differences(s.pairs[from:to])
		var along mat.Dense
		along.Mul(d, e.sums.T())
		for k := from; k < to; k++ {
			score, best, looks := 0.0, 0.0, strips.ActionID(0)
			for a, l := range along.RawRowView(k - from) {
				norm, n := e.norm[a], e.n[a]
				if id := strips.ActionID(a + 1); learned && id == s.all[k].Action {
					row := d.RawRowView(k - from)
					self := dot(row, row)
					l, norm, n = l-self, norm-2*l+self, n-1
				}
				if n == 0 || norm <= 0 {
					continue
				}
				l /= math.Sqrt(norm)
				score = max(score, l*l)
				if l > best {
					best, looks = l, strips.ActionID(a+1)
				}
			}
			s.score, s.looks = append(s.score, score), append(s.looks, looks)
		}
	}
}
