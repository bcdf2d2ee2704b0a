package effects

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"stripswm/internal/spread"
	"stripswm/models/internal/principal"
)

// album has all images of attempts, less the median image with their gain.
type album struct {
	before, after []int // by attempt: its images; -1 where it has none
	images        [][]float32
	same          [][2]int // images of one state
	shown         [][]int  // by skill: the images before its successes, and those after
}

func (c *changes) album() *album {
	s := &album{}
	var images [][]float32
	add := func(img []float32) int {
		if img == nil {
			return -1
		}
		images = append(images, img)
		return len(images) - 1
	}
	calm := map[int]bool{}
	for _, row := range c.still {
		calm[row] = true
	}
	for i, a := range c.attempts {
		s.before, s.after = append(s.before, add(a.Before)), append(s.after, add(a.After))
		if calm[c.between[i]] {
			s.same = append(s.same, [2]int{s.after[i-1], s.before[i]})
		}
		if calm[c.during[i]] {
			s.same = append(s.same, [2]int{s.before[i], s.after[i]})
		}
	}
	for _, own := range c.of {
		var before, after []int
		for _, i := range own {
			before, after = append(before, s.before[i]), append(after, s.after[i])
		}
		s.shown = append(s.shown, before, after)
	}
	median, some := make([]float32, c.values), spread.Evenly(images, stillPairs)
	column := make([]float32, len(some))
	for v := range median {
		for i, img := range some {
			column[i] = img[v]
		}
		slices.Sort(column)
		median[v] = column[len(column)/2]
	}
	for _, img := range images {
		less := make([]float32, c.values)
		for ch := range c.channels {
			difference(median, img, less, ch, c.channels)
		}
		s.images = append(s.images, less)
	}
	return s
}

// cluster returns ways to divide points: by point its look, or -1. Points that are near need not be
// told apart.
func cluster(points [][]float64, near float64) (all [][]int) {
	distance := func(i, k int) float64 { return floats.Distance(points[i], points[k], 2) }
	leaders, led := lead(points, distance, near)
	size := make([]int, len(leaders))
	for k := range leaders {
		size[k] = len(led[k])
	}
	merges := dendrogram(size, func(i, k int) float64 { return distance(leaders[i], leaders[k]) })
	type division struct {
		look []int // by point
		gap  float64
	}
	widest := make([]division, mostLooks+1) // by number of looks
	for last := max(0, len(merges)-8*mostLooks); last < len(merges); last++ {
		under := near // the distance within looks
		if last > 0 {
			under = max(under, merges[last-1].distance)
		}
		d := division{look: make([]int, len(points)), gap: merges[last].distance / under}
		for i := range d.look {
			d.look[i] = -1
		}
		looks, clear := 0, 0
		for _, members := range joined(merges[:last], len(leaders)) {
			n := 0
			for _, k := range members {
				n += size[k]
			}
			if n < fewLooks {
				continue
			}
			for _, k := range members {
				for _, i := range led[k] {
					d.look[i] = looks
				}
			}
			looks, clear = looks+1, clear+n
		}
		if looks > 1 && looks <= mostLooks && d.gap > widest[looks].gap &&
			float64(clear) >= (1-mostSurprises)*float64(len(points)) {
			widest[looks] = d
		}
	}
	widest = slices.DeleteFunc(widest, func(d division) bool { return d.look == nil })
	slices.SortStableFunc(widest, func(x, y division) int { return cmp.Compare(y.gap, x.gap) })
	for _, d := range widest[:min(len(widest), mostDivisions)] {
		all = append(all, d.look)
	}
	return all
}

// lead are images of which each other one is nearby, and by each of them those that are, itself
// among them: as many as cluster in reasonable time.
func lead(points [][]float64, distance func(i, k int) float64,
	near float64) (leaders []int, led [][]int) {
	for reach := near; ; reach *= 2 {
		leaders, led = nil, nil
		for i := range points {
			best, least := -1, reach
			for k, leader := range leaders {
				if d := distance(i, leader); d < least {
					best, least = k, d
				}
			}
			if best < 0 {
				best = len(leaders)
				leaders, led = append(leaders, i), append(led, nil)
			}
			led[best] = append(led[best], i)
			if len(leaders) > mostLeaders {
				break
			}
		}
		if len(leaders) <= mostLeaders {
			return leaders, led
		}
	}
}

// view has all images at a place in units of how two images of one state differ [images, values].
type view struct {
	*album
	rows *mat.Dense
}

func (s *album) view(place []int, channels int) view {
	rows := s.at(place, channels)
	if _, dims := rows.Dims(); dims > placeDims { // so that a place of a whole image costs no more
		var few mat.Dense
		few.Mul(rows, principal.Directions(sample(rows), placeDims).T())
		rows = &few
	}
	_, dims := rows.Dims()
	same := mat.NewDense(max(len(s.same), 1), dims, nil)
	for k, pair := range s.same {
		floats.SubTo(same.RawRowView(k), rows.RawRowView(pair[0]), rows.RawRowView(pair[1]))
	}
	var within mat.SymDense
	within.SymOuterK(1/float64(max(len(s.same), 1)), same.T())
	least := 0.01*mat.Trace(&within)/float64(dims) + 1e-9 // values that never vary
	for k := range dims {
		within.SetSym(k, k, within.At(k, k)+least)
	}
	var root mat.Cholesky
	var lower mat.TriDense
	var white mat.Dense // [values, images]
	if !root.Factorize(&within) {
		return view{s, rows} // never: its least value is above 0
	}
	root.LTo(&lower)
	if err := white.Solve(&lower, rows.T()); err != nil {
		return view{s, rows}
	}
	return view{s, mat.DenseCopyOf(white.T())}
}

// apart are points of some images in the few directions in which these differ most.
func (v view) apart(images []int, dims int) [][]float64 {
	rows := v.of(images)
	return along(rows, sample(rows), dims)
}

// told are some images, and the means before and after skills of those among them: images in the
// directions in which these differ most are told apart by skills (Fisher's discriminant).
func (v view) told(images []int) (rows, means *mat.Dense) {
	at := make([]int, len(v.images)) // rows by image, from 1
	for k, i := range images {
		at[i] = k + 1
	}
	groups := make([][]int, len(v.shown))
	for k, shown := range v.shown {
		for _, i := range shown {
			if i >= 0 && at[i] > 0 {
				groups[k] = append(groups[k], at[i]-1)
			}
		}
	}
	rows = v.of(images)
	return rows, meansOf(rows, groups)
}

// between are points of all images in the few directions in which looks differ most.
func (v view) between(look []int) [][]float64 {
	groups := make([][]int, slices.Max(look)+1)
	for i, m := range look {
		if m >= 0 {
			groups[m] = append(groups[m], i)
		}
	}
	return along(v.rows, meansOf(v.rows, groups), min(lookDims, len(groups)-1))
}

// meansOf are the means of groups of rows, times the root of how many these are.
func meansOf(rows *mat.Dense, groups [][]int) *mat.Dense {
	_, values := rows.Dims()
	means := mat.NewDense(len(groups), values, nil)
	for k, group := range groups {
		mean := means.RawRowView(k)
		for _, i := range group {
			floats.Add(mean, rows.RawRowView(i))
		}
		floats.Scale(1/math.Sqrt(float64(max(len(group), 1))), mean)
	}
	return means
}

// of are some images, less their mean.
func (v view) of(images []int) *mat.Dense {
	_, values := v.rows.Dims()
	rows := mat.NewDense(len(images), values, nil)
	for k, i := range images {
		rows.SetRow(k, v.rows.RawRowView(i))
	}
	return centered(rows)
}

// along are rows in the directions in which some vary most.
func along(rows, some *mat.Dense, dims int) [][]float64 {
	points := make([][]float64, rows.RawMatrix().Rows)
	var few mat.Dense
	few.Mul(rows, principal.Directions(some, dims).T())
	for i := range points {
		points[i] = few.RawRowView(i)
	}
	return points
}

// variable is a place whose looks are given by image; -1 where they are not clear.
func (s *album) variable(place, look []int) Variable {
	v := Variable{Cells: place, Looks: slices.Max(look) + 1}
	of := func(image int) int {
		if image < 0 {
			return -1
		}
		return look[image]
	}
	for i := range s.before {
		v.Before, v.After = append(v.Before, of(s.before[i])), append(v.After, of(s.after[i]))
	}
	return v
}

// looks are those of a variable, by image.
func (s *album) looks(v *Variable) []int {
	all := make([]int, len(s.images))
	for i := range s.before {
		if s.before[i] >= 0 {
			all[s.before[i]] = v.Before[i]
		}
		if s.after[i] >= 0 {
			all[s.after[i]] = v.After[i]
		}
	}
	return all
}

// at are the values of all images at a place, less their mean [images, values].
func (s *album) at(place []int, channels int) *mat.Dense {
	rows := mat.NewDense(len(s.images), len(place)*channels, nil)
	for i, img := range s.images {
		row := rows.RawRowView(i)
		for k, cell := range place {
			for ch, x := range img[cell*channels:][:channels] {
				row[k*channels+ch] = float64(x)
			}
		}
	}
	return centered(rows)
}

// centered takes the mean out of rows.
func centered(rows *mat.Dense) *mat.Dense {
	n, values := rows.Dims()
	center := make([]float64, values)
	for i := range n {
		floats.AddScaled(center, 1/float64(n), rows.RawRowView(i))
	}
	for i := range n {
		floats.Sub(rows.RawRowView(i), center)
	}
	return rows
}

// sample are rows, evenly spread, that directions are learned from.
func sample(rows *mat.Dense) *mat.Dense {
	n, values := rows.Dims()
	indices := spread.Indices(n, stillPairs)
	some := mat.NewDense(len(indices), values, nil)
	for k, i := range indices {
		some.SetRow(k, rows.RawRowView(i))
	}
	return some
}
