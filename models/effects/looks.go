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

// divide returns ways to divide the images by their looks at a place: those with the widest gaps
// between looks, which are clusters of average linkage. Images between which nobody changed
// anything need not look alike: somebody may have done so unseen.
func (s *album) divide(place []int, channels int) (all []Variable) {
	points := s.points(place, channels)
	distance := func(i, k int) float64 {
		sum := 0.0
		for d, x := range points[i] {
			sum += (x - points[k][d]) * (x - points[k][d])
		}
		return math.Sqrt(sum)
	}
	leaders, led := lead(points, distance)
	size := make([]int, len(leaders))
	for k := range leaders {
		size[k] = len(led[k])
	}
	merges := dendrogram(size, func(i, k int) float64 { return distance(leaders[i], leaders[k]) })
	type division struct {
		look  []int // by image
		looks int
		gap   float64
	}
	widest := make([]division, mostLooks+1) // by number of looks
	for last := max(0, len(merges)-8*mostLooks); last < len(merges); last++ {
		under := nearby // the distance within looks
		if last > 0 {
			under = max(under, merges[last-1].distance)
		}
		d := division{look: make([]int, len(points)), gap: merges[last].distance / under}
		for i := range d.look {
			d.look[i] = -1
		}
		clear := 0
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
					d.look[i] = d.looks
				}
			}
			d.looks, clear = d.looks+1, clear+n
		}
		if d.looks > 1 && d.looks <= mostLooks && d.gap > widest[d.looks].gap &&
			float64(clear) >= (1-mostSurprises)*float64(len(points)) {
			widest[d.looks] = d
		}
	}
	widest = slices.DeleteFunc(widest, func(d division) bool { return d.looks == 0 })
	slices.SortStableFunc(widest, func(x, y division) int { return cmp.Compare(y.gap, x.gap) })
	for _, d := range widest[:min(len(widest), mostDivisions)] {
		v := Variable{Cells: place, Looks: d.looks}
		of := func(image int) int {
			if image < 0 {
				return -1
			}
			return d.look[image]
		}
		for i := range s.before {
			v.Before, v.After = append(v.Before, of(s.before[i])), append(v.After, of(s.after[i]))
		}
		all = append(all, v)
	}
	return all
}

// lead are images of which each other one is nearby, and by each of them those that are, itself
// among them: as many as cluster in reasonable time.
func lead(points [][]float64, distance func(i, k int) float64) (leaders []int, led [][]int) {
	for reach := nearby; ; reach *= 2 {
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

// points are the images at a place, in the few directions in which they differ most, in units of
// how two images of one state differ.
func (s *album) points(place []int, channels int) [][]float64 {
	points := make([][]float64, len(s.images))
	if len(points) == 0 {
		return points
	}
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
	if !root.Factorize(&within) {
		return points
	}
	root.LTo(&lower)
	var white, directions, along mat.Dense // white is of a sample [dims, images]
	if white.Solve(&lower, sample(rows).T()) != nil {
		return points
	}
	most := principal.Directions(mat.DenseCopyOf(white.T()), lookDims)
	if directions.Solve(lower.T(), most.T()) != nil {
		return points
	}
	along.Mul(rows, &directions)
	for i := range points {
		points[i] = along.RawRowView(i)
	}
	return points
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
	center := make([]float64, len(place)*channels)
	for i := range s.images {
		floats.AddScaled(center, 1/float64(len(s.images)), rows.RawRowView(i))
	}
	for i := range s.images {
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
