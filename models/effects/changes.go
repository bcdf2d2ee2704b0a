package effects

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/mat"

	"stripswm/internal/spread"
	"stripswm/models/internal/principal"
)

// changes are the differences of the images of a recording.
type changes struct {
	attempts []Attempt
	skills   []int   // the actions that occur, ascending
	of       [][]int // by skill: its successes with images, by attempt
	values   int     // of an image
	channels int     // of these
	during   []int   // by attempt: the row of what changed during it, -1 without images
	between  []int   // by attempt: the row of what changed since the one before, in its segment; or -1
	rows     blas32.General
	still    []int     // rows where nothing should have changed
	noise    []float64 // variance of these, by value
	evidence *evidence
}

func (c *changes) row(i int) []float32 {
	return c.rows.Data[i*c.rows.Stride:][:c.values]
}

// measure takes the differences of all images, with gains and modes taken out.
func measure(ctx context.Context, attempts []Attempt, channels int) (*changes, error) {
	c := &changes{attempts: attempts, channels: channels, evidence: newEvidence(len(attempts))}
	for _, a := range attempts {
		c.skills = append(c.skills, a.Action)
		c.values = max(c.values, len(a.Before), len(a.After))
	}
	slices.Sort(c.skills)
	c.skills = slices.Compact(c.skills)
	c.of = make([][]int, len(c.skills))
	var pairs [][2][]float32
	add := func(before, after []float32) int {
		if before == nil || after == nil {
			return -1
		}
		pairs = append(pairs, [2][]float32{before, after})
		return len(pairs) - 1
	}
	var between, refused []int // rows where nothing should have changed
	for i, a := range attempts {
		k, _ := slices.BinarySearch(c.skills, a.Action)
		since, during := -1, add(a.Before, a.After)
		if i > 0 && attempts[i-1].Segment == a.Segment {
			since = add(attempts[i-1].After, a.Before)
		}
		c.during, c.between = append(c.during, during), append(c.between, since)
		switch {
		case during < 0:
		case a.Succeeded:
			c.of[k] = append(c.of[k], i)
		default:
			refused = append(refused, during)
		}
		if since >= 0 {
			between = append(between, since)
		}
	}
	c.still = Different(func(row int) bool { return !slices.Equal(pairs[row][0], pairs[row][1]) },
		between, refused)
	slices.Sort(c.still)
	c.rows = blas32.General{Rows: len(pairs), Cols: c.values, Stride: max(c.values, 1),
		Data: make([]float32, len(pairs)*c.values)}
	for i, p := range pairs {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for ch := range channels {
			difference(p[0], p[1], c.row(i), ch, channels)
		}
	}
	return c, c.quiet(ctx)
}

// Different are the pairs of images of one state that say how such images differ, of several kinds
// of pairs. One image may be recorded twice, as that after an attempt and before the next, and
// would say that they do not. If most pairs of no kind differ, images of one state are equal, and
// all count.
func Different[T any](differ func(pair T) bool, kinds ...[]T) []T {
	var all, different []T
	differing := false
	for _, pairs := range kinds {
		n := len(different)
		for _, pair := range pairs {
			if differ(pair) {
				different = append(different, pair)
			}
		}
		all = append(all, pairs...)
		differing = differing || 2*(len(different)-n) > len(pairs)
	}
	if !differing {
		return all
	}
	return different
}

// gainRounds is how often a gain is measured, each time without the values that fit it badly.
const gainRounds = 3

// difference is after less before times its gain, of one channel.
func difference(before, after, into []float32, from, step int) {
	gain, limit := float32(1), float32(math.MaxFloat32)
	for range gainRounds {
		var cross, square, left float32
		n := 0
		for i := from; i < len(before); i += step {
			b, a := before[i], after[i]
			if e := a - gain*b; e*e <= limit {
				cross += a * b
				square += b * b
				left += e * e
				n++
			}
		}
		if square <= 0 {
			break
		}
		gain = cross / square
		limit = 4 * left / float32(n) // two standard deviations
	}
	for i := from; i < len(before); i += step {
		into[i] = after[i] - gain*before[i]
	}
}

// quiet learns how images of one state differ, and takes the directions in which they vary most out
// of all changes.
func (c *changes) quiet(ctx context.Context) error {
	c.still = c.calm(c.still)
	c.project(c.directions(spread.Evenly(c.still, stillPairs)))
	c.noise = make([]float64, c.values)
	for k, i := range c.still {
		if k%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for v, x := range c.row(i) {
			c.noise[v] += float64(x * x)
		}
	}
	mean := 0.0
	for v := range c.noise {
		c.noise[v] /= float64(max(len(c.still), 1))
		mean += c.noise[v] / float64(c.values)
	}
	for v := range c.noise { // values that never vary, such as bars beside an image
		c.noise[v] += 0.01*mean + math.SmallestNonzeroFloat32
	}
	return ctx.Err()
}

// calm are the rows without those that differ most.
func (c *changes) calm(rows []int) []int {
	energy := make([]float64, len(rows))
	for k, i := range rows {
		r := blas32.Vector{N: c.values, Inc: 1, Data: c.row(i)}
		energy[k] = float64(blas32.Dot(r, r))
	}
	if len(rows) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(energy))
	limit := sorted[int((1-trimmed)*float64(len(sorted)-1))]
	var calm []int
	for k, i := range rows {
		if energy[k] <= limit {
			calm = append(calm, i)
		}
	}
	return calm
}

// directions are those in which rows vary most.
func (c *changes) directions(rows []int) blas32.General {
	n := min(modes, len(rows)/8)
	if n == 0 {
		return general(0, c.values)
	}
	some := mat.NewDense(len(rows), c.values, nil)
	for k, i := range rows {
		for v, x := range c.row(i) {
			some.Set(k, v, float64(x))
		}
	}
	all := general(n, c.values)
	if found := principal.Directions(some, n); found != nil {
		for i, x := range found.RawMatrix().Data {
			all.Data[i] = float32(x)
		}
	}
	return all
}

// project takes orthonormal directions out of all rows.
func (c *changes) project(directions blas32.General) {
	if directions.Rows == 0 || c.rows.Rows == 0 {
		return
	}
	along := general(c.rows.Rows, directions.Rows)
	blas32.Gemm(blas.NoTrans, blas.Trans, 1, c.rows, directions, 0, along)
	blas32.Gemm(blas.NoTrans, blas.NoTrans, -1, along, directions, 1, c.rows)
}

func general(rows, columns int) blas32.General {
	return blas32.General{Rows: rows, Cols: columns, Stride: max(columns, 1),
		Data: make([]float32, rows*columns)}
}
