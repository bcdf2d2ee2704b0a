package facts

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"stripswm/internal/spread"
	"stripswm/models/dataset"
	"stripswm/models/internal/principal"
	"stripswm/models/pixels"
)

const (
	mostImages  = 6144 // that an appearance is learned from
	someImages  = 3072 // that pairs and modes are
	noiseImages = 512  // that noise is
	// Blocks of images set the limits of an appearance that is learned from the others.
	limitBlock, limitBlocks = 40, 4

	pairRidge   = 2.0 // observations of nothing, beside those of what a pair adds
	pairImages  = 8   // of a pair, at least: those of four static intervals
	morePairs   = 2   // pairs by facts, at most
	commonModes = 16  // at most
	partModes   = 8   // of a predicate, at most
	modeImages  = 512 // that common modes are learned from, at most; half of that for a predicate
)

// hidden is the share of a part that others may hide, or seem to add, at least.
const hidden = 1.0 / 3

// minUnits is how many images a limit of a predicate's own needs.
const minUnits = 20

// look is an image and what it shows.
type look struct {
	image  []uint8
	target []float32
}

// learnAppearance learns from images and their targets, the first of which are facts. What is
// learned from three quarters of the images sets the limits, by those others that are right to.
func learnAppearance(d *dataset.Dataset, images []int, targets [][]float32, facts int,
	right func(images []int) []int,
) *Appearance {
	images = spread.Evenly(images, mostImages)
	var fit, rest []int
	for k, i := range images {
		if k/limitBlock%limitBlocks == limitBlocks-1 {
			rest = append(rest, i)
		} else {
			fit = append(fit, i)
		}
	}
	if rest = right(rest); len(rest) == 0 {
		fit, rest = images, images
	}
	of := func(images []int) (all []look) {
		for _, i := range images {
			all = append(all, look{d.Image(i), targets[i]})
		}
		return all
	}
	limits := make(chan measures)
	go func() { limits <- fitAppearance(d.Size, of(fit), facts).limit(d.Size, of(rest)) }()
	a := fitAppearance(d.Size, of(images), facts)
	a.limits = <-limits
	return a
}

// limit returns the limits that one good image in a hundred is expected to exceed.
func (a *Appearance) limit(size int, looks []look) (limits measures) {
	var seen []measures
	usual := slices.DeleteFunc(slices.Clone(looks), func(l look) bool {
		return len(a.strange(l.target)) > 0
	})
	if len(usual) == 0 {
		usual = looks
	}
	for _, l := range usual {
		seen = append(seen, a.measure(l.image, size, l.target, view{}))
	}
	of := func(value func(k int) float64, share float64) float64 {
		values := make([]float64, len(seen))
		for k := range seen {
			values[k] = value(k)
		}
		return max(tail(values, share), 1e-9)
	}
	for k := range limits.windows {
		limits.windows[k] = of(func(i int) float64 { return seen[i].windows[k] }, rareShare)
	}
	for k := range limits.shares {
		limits.shares[k] = make([]float64, a.predicates())
		for p := range limits.shares[k] {
			var values []float64
			for i, l := range usual {
				if v := l.target[p]; v == 0 && k == added || v == 1 && k != added {
					values = append(values, seen[i].shares[k][p])
				}
			}
			if len(values) >= minUnits {
				limits.shares[k][p] = tail(values, rareShare)
			}
		}
		greatest := max(slices.Max(limits.shares[k]), 1e-9)
		for p, v := range limits.shares[k] {
			if v == 0 {
				limits.shares[k][p] = greatest
			}
		}
	}
	// There are many measures, and each is seldom beyond its limit: all of them together are so often.
	windows := of(func(i int) float64 { far, _ := seen[i].by(limits); return far }, refusedShare)
	shares := of(func(i int) float64 { _, far := seen[i].by(limits); return far }, refusedShare)
	for k := range limits.windows {
		limits.windows[k] *= windows
	}
	for k := range limits.shares {
		for p, v := range limits.shares[k] {
			limits.shares[k][p] = max(v*shares, hidden)
		}
	}
	return limits
}

// tail is what a share of values is expected to exceed. Few values say less, and it is farther.
func tail(values []float64, share float64) float64 {
	values = slices.Sorted(slices.Values(values))
	n := float64(len(values))
	return values[int((1-share)*(n-1))] * (1 + 2/math.Sqrt(n))
}

// normal are the normal equations of a regression.
type normal struct {
	gram   *mat.SymDense
	moment *mat.Dense
}

func newNormal(features, values int) *normal {
	return &normal{mat.NewSymDense(features, nil), mat.NewDense(features, values, nil)}
}

func (n *normal) add(x, y []float64, weight float64) {
	for i, v := range x {
		if v == 0 {
			continue
		}
		for j := i; j < len(x); j++ {
			n.gram.SetSym(i, j, n.gram.At(i, j)+weight*v*x[j])
		}
		row := n.moment.RawRowView(i)
		for k, w := range y {
			row[k] += weight * v * w
		}
	}
}

// solve returns the weights; with so many observations of nothing beside those of each feature.
func (n *normal) solve(nothing []float64) *mat.Dense {
	gram := mat.NewSymDense(n.gram.SymmetricDim(), nil)
	gram.CopySym(n.gram)
	for i, v := range nothing {
		gram.SetSym(i, i, gram.At(i, i)+v)
	}
	var c mat.Cholesky
	result := &mat.Dense{}
	if !c.Factorize(gram) || c.SolveTo(result, n.moment) != nil {
		result = mat.NewDense(n.moment.RawMatrix().Rows, n.moment.RawMatrix().Cols, nil)
	}
	return result
}

// ridges are the observations of nothing beside those of parts, pairs and what is always there.
func ridges(predicates, pairs int) (all []float64) {
	for k := range predicates + pairs {
		if k < predicates {
			all = append(all, ridge)
		} else {
			all = append(all, pairRidge)
		}
	}
	return append(all, 1e-6)
}

// fitAppearance learns all but the limits.
func fitAppearance(size int, looks []look, facts int) *Appearance {
	side, _ := pixels.Shape(size, lookSide)
	m, values := len(looks[0].target), 3*side*side
	a := &Appearance{side: side, modes: make([][]mode, m), noise: mat.NewDense(m+2, side*side, nil)}
	n := newNormal(m+1, values)
	for _, l := range looks {
		y := make([]float64, values)
		for i, v := range pixels.Shrink(l.image, size, side) {
			y[i] = float64(v)
		}
		n.add(features(l.target, nil), y, 1)
	}
	a.parts = n.solve(ridges(m, 0))
	a.met = met(looks, facts)
	a.fitPairs(size, spread.Evenly(looks, someImages), facts)

	// Parts and pairs together, in the light of what was expected without pairs; then without images
	// that do not look like it, since their targets may be wrong.
	flat := *a
	flat.pairs = nil
	n = newNormal(m+len(a.pairs)+1, values)
	see := func(l look, weight float64) {
		left, looks := flat.left(l.image, size, l.target, flat.deviation(l.target), nil)
		for i, v := range looks {
			left[i] += v
		}
		n.add(features(l.target, a.pairs), left, weight)
	}
	for _, l := range looks {
		see(l, 1)
	}
	a.parts = n.solve(ridges(m, len(a.pairs)))
	far := make([]float64, len(looks))
	for k, l := range looks {
		left, _ := a.left(l.image, size, l.target, a.deviation(l.target), nil)
		far[k], _ = a.greatest(left, 4)
	}
	limit := limitOf(far)
	var right []look
	for k, l := range looks {
		if far[k] > limit {
			see(l, -1)
		} else {
			right = append(right, l)
		}
	}
	a.parts = n.solve(ridges(m, len(a.pairs)))
	a.setUp()
	right = slices.DeleteFunc(right, func(l look) bool { return len(a.strange(l.target)) > 0 })
	if len(right) == 0 {
		right = looks
	}
	a.fitModes(size, spread.Evenly(right, someImages))
	return a
}

// met says how often facts are true together.
func met(looks []look, facts int) []byte {
	n := make([]int, facts*facts)
	for _, l := range looks {
		for p := range facts {
			for q := range facts {
				if l.target[p] == 1 && l.target[q] == 1 {
					n[p*facts+q]++
				}
			}
		}
	}
	all := make([]byte, len(n))
	for k, both := range n {
		switch single := n[k/facts*facts+k/facts]; {
		case both == 0:
		case both < pairImages:
			all[k] = seldom
		case mostly(both, single):
			all[k] = always
		default:
			all[k] = often
		}
	}
	return all
}

// mostly says that so many of all images are nearly all.
func mostly(some, all int) bool { return 10*some > 9*all }

// fitPairs finds pairs of facts that look otherwise together: of what parts leave, the means over
// two halves of the images with both agree. It takes the pair that explains most, and again of
// what that leaves, while a pair explains as much as an image has of noise.
func (a *Appearance) fitPairs(size int, looks []look, facts int) {
	side, pool := pixels.ThumbnailShape(a.side)
	values := 3 * side * side
	left := mat.NewDense(len(looks), values, nil)
	for k, l := range looks {
		raw, _ := a.left(l.image, size, l.target, a.deviation(l.target), nil)
		row := left.RawRowView(k)
		for i, v := range raw {
			y, x := i/3/a.side/pool, i/3%a.side/pool
			if max(x, y) < side {
				row[3*(y*side+x)+i%3] += v / float64(pool*pool)
			}
		}
	}
	column := make([]float64, len(looks))
	for v := range values {
		for k := range looks {
			column[k] = math.Abs(left.At(k, v))
		}
		slices.Sort(column)
		scale := 1 / math.Hypot(1.5*column[len(column)/2], math.Sqrt(minVariance)/2)
		for k := range looks {
			left.Set(k, v, scale*left.At(k, v))
		}
	}
	images := make([][]int, facts)
	for k, l := range looks {
		for p := range facts {
			if l.target[p] == 1 {
				images[p] = append(images[p], k)
			}
		}
	}
	type candidate struct {
		pair
		both []int
		gain float64
	}
	explain := func(c *candidate) {
		var means [2][]float64
		for h := range means {
			means[h] = make([]float64, values)
		}
		for n, k := range c.both {
			mean := means[n/4%2] // images of one interval are alike
			for i, v := range left.RawRowView(k) {
				mean[i] += v
			}
		}
		n := float64(len(c.both))
		c.gain = 4 * floats.Dot(means[0], means[1]) / n / float64(values)
	}
	var all []candidate
	for p := range facts {
		for q := range p {
			c := candidate{pair: pair{p, q}}
			for _, k := range images[p] {
				if looks[k].target[q] == 1 {
					c.both = append(c.both, k)
				}
			}
			// Of facts that are nearly always together the parts say enough.
			if n := len(c.both); n >= pairImages &&
				!mostly(n, min(len(images[p]), len(images[q]))) {
				explain(&c)
				all = append(all, c)
			}
		}
	}
	by := func(x, y candidate) int {
		switch {
		case x.gain > y.gain:
			return -1
		case x.gain < y.gain:
			return 1
		}
		return 0
	}
	for len(all) > 0 && len(a.pairs) < morePairs*facts {
		slices.SortStableFunc(all, by)
		best := all[0].pair
		explain(&all[0])
		if len(all) > 1 && all[0].gain < all[1].gain {
			if all[1].gain < 1 {
				return
			}
			continue
		}
		if all[0].gain < 1 {
			return
		}
		mean := make([]float64, values)
		n := float64(len(all[0].both))
		for _, k := range all[0].both {
			for i, v := range left.RawRowView(k) {
				mean[i] += v / (n + pairRidge)
			}
		}
		for _, k := range all[0].both {
			row := left.RawRowView(k)
			for i, v := range mean {
				row[i] -= v
			}
		}
		a.pairs, all = append(a.pairs, best), all[1:]
	}
}

// fitModes learns modes and noise from what parts leave of images.
func (a *Appearance) fitModes(size int, looks []look) {
	var lefts [][]float64
	var expected [][]float64
	for _, l := range looks {
		left, looks := a.left(l.image, size, l.target, a.deviation(l.target), nil)
		lefts, expected = append(lefts, left), append(expected, looks)
	}
	a.common = modesOf(rows(spread.Evenly(lefts, modeImages), nil), commonModes)
	for _, left := range lefts {
		for _, m := range a.common {
			m.add(left, -m.dot(left))
		}
	}
	for p := range a.modes {
		var some [][]float64
		for k, l := range looks {
			if l.target[p] == 1 {
				some = append(some, lefts[k])
			}
		}
		at := a.local(p, 0).at
		a.modes[p] = modesOf(rows(spread.Evenly(some, modeImages/2), at), partModes)
		for k := range a.modes[p] {
			a.modes[p][k].at = at
		}
	}
	m := len(a.modes)
	n, every := newNormal(m+1, a.side*a.side), make([]float64, a.side*a.side)
	for _, k := range spread.Indices(len(looks), noiseImages) {
		l, left := looks[k], lefts[k]
		clean(left, a.active(l.target, expected[k]), nil)
		square := make([]float64, a.side*a.side)
		for i := range square {
			square[i] = floats.Dot(left[3*i:3*i+3], left[3*i:3*i+3]) / 3
		}
		square = a.smooth(square)
		for i, v := range square {
			every[i] += v / float64(min(len(looks), noiseImages))
		}
		n.add(features(l.target, nil), square, 1)
	}
	noise := n.solve(ridges(m, 0))
	for p := range m + 1 {
		a.noise.SetRow(p, noise.RawRowView(p))
	}
	for i, v := range every {
		a.noise.Set(m+1, i, v/4)
	}
}

// smooth are the means over 3x3 pixels.
func (a *Appearance) smooth(values []float64) []float64 {
	all := make([]float64, len(values))
	for i := range values {
		n := 0.0
		for y := max(i/a.side-1, 0); y <= min(i/a.side+1, a.side-1); y++ {
			for x := max(i%a.side-1, 0); x <= min(i%a.side+1, a.side-1); x++ {
				all[i] += values[y*a.side+x]
				n++
			}
		}
		all[i] /= n
	}
	return all
}

// rows are the values of rows at some indices, or all of them.
func rows(all [][]float64, at []int) *mat.Dense {
	if len(all) == 0 || at != nil && len(at) == 0 {
		return nil
	}
	if at == nil {
		m := mat.NewDense(len(all), len(all[0]), nil)
		for k, row := range all {
			m.SetRow(k, row)
		}
		return m
	}
	m := mat.NewDense(len(all), len(at), nil)
	for k, row := range all {
		for j, i := range at {
			m.Set(k, j, row[i])
		}
	}
	return m
}

// modesOf are the directions in which rows vary most.
func modesOf(rows *mat.Dense, most int) (all []mode) {
	if rows == nil {
		return nil
	}
	n, values := rows.Dims()
	modes := principal.Directions(rows, min(most, n/pairsPerMode, values))
	if modes == nil {
		return nil
	}
	k, _ := modes.Dims()
	var along mat.Dense
	along.Mul(rows, modes.T())
	for j := range k {
		column := along.ColView(j)
		variance := mat.Dot(column, column) / float64(n)
		if variance > 0 {
			all = append(all, mode{row: modes.RawRowView(j), shrink: minVariance / variance})
		}
	}
	return all
}
