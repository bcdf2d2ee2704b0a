package facts

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"stripswm/internal/spread"
	"stripswm/models/strips"
)

// A failed attempt may have done a part of what its skill does: an object fell beside the stack,
// and the hand is empty as after a success. So each part of the change is compared with the same
// place of one success, the one that is most like it: what else is on the table may matter there.

const (
	// alikePairs is how many successes of an action are compared, at most. Where what they look like
	// depends on the state, about as many different looks are known.
	alikePairs = 40
	// blockSide is that of a block, pixels of a thumbnail.
	blockSide = 4
	// clearPart is the share of the strongest block's square from which on a block is a part of a
	// change: a third of its contrast.
	clearPart = 0.1
	// clearNoise is how many times the greatest block of most still pairs such a block is: noise of
	// both images is in the difference of two changes.
	clearNoise = 4
	// fewExamples are too few successes to say what belongs to the effect of an action.
	fewExamples = 3
	// leastApart and mostApart bound the limit of what is alike. A part that is missing, or is there
	// in addition, is 1 apart. Successes are 0.02 apart where things stand exactly, more where not.
	leastApart, mostApart = 0.5, 0.8
)

// examples are successes of an action.
type examples struct {
	all   []example
	limit float64 // up to which a change is apart from the nearest one that it looks like
}

// example is a difference of images.
type example struct {
	row    []float64
	blocks []float64 // squares
}

// apart is how far two changes are apart: the greatest difference in a block that is a part of one
// of them, by the larger square of both. Noise is the square of a block in which nothing changes.
func (x example) apart(y example, side int, noise float64) (most float64) {
	strongest := max(clearNoise*noise, clearPart*max(slices.Max(x.blocks), slices.Max(y.blocks)))
	for b, square := range blockSquares(x.row, y.row, side) {
		if has := max(x.blocks[b], y.blocks[b]); has >= strongest {
			most = max(most, square/has)
		}
	}
	return most
}

// blockSquares are the squares of a difference, less another one if it is given, summed over blocks
// of a thumbnail that overlap by half.
func blockSquares(row, less []float64, side int) (sums []float64) {
	for y := 0; y+blockSide <= side; y += blockSide / 2 {
		for x := 0; x+blockSide <= side; x += blockSide / 2 {
			sum := 0.0
			for v := y; v < y+blockSide; v++ {
				for i := 3 * (v*side + x); i < 3*(v*side+x+blockSide); i++ {
					d := row[i]
					if less != nil {
						d -= less[i]
					}
					sum += d * d
				}
			}
			sums = append(sums, sum)
		}
	}
	return sums
}

// alike says whether each part of a change is that of one success of its action.
func (c *comparison) alike(failed Contradiction) bool {
	known, ok := c.examples[failed.Action]
	if !ok {
		known = c.learnExamples(failed.Action)
		c.examples[failed.Action] = known
	}
	x := c.examplesOf([]Contradiction{failed})[0]
	return c.nearest(x, known.all, -1) <= known.limit
}

// learnExamples keeps successes of an action, and learns how far apart they are: the limit is what
// one in ten of them exceeds, within bounds.
func (c *comparison) learnExamples(a strips.ActionID) (known examples) {
	var own []Contradiction
	for _, m := range c.moved {
		if m.Action == a {
			own = append(own, m)
		}
	}
	known.all, known.limit = c.examplesOf(spread.Evenly(own, alikePairs)), mostApart
	var least []float64
	for i, x := range known.all {
		least = append(least, c.nearest(x, known.all, i))
	}
	if n := len(least); n > 1 {
		slices.Sort(least)
		known.limit = min(max(leastApart, least[n-1-n/10]), mostApart)
	}
	return known
}

// nearest is how far a change is apart from the nearest example but one.
func (c *comparison) nearest(x example, all []example, but int) float64 {
	least := math.Inf(1)
	for k, y := range all {
		if k != but {
			least = min(least, x.apart(y, c.effects.c.thumbs[0].Side(), c.noise))
		}
	}
	return least
}

func (c *comparison) examplesOf(pairs []Contradiction) (all []example) {
	if len(pairs) == 0 {
		return nil
	}
	d := c.effects.c.differences(pairs)
	for k := range pairs {
		row := mat.Row(nil, k, d)
		all = append(all, example{row, blockSquares(row, nil, c.effects.c.thumbs[0].Side())})
	}
	return all
}
