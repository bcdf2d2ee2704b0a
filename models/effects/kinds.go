package effects

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"stripswm/internal/spread"
)

// Kinds splits the successes of each skill by what they change: a lamp that is flipped goes on or
// off. It returns by attempt the kind of a success, from 0 of each skill, and -1 for a success that
// is like no others, for one without images, and for a refusal.
//
// Only directions count, since other light makes a change larger or smaller. Clusters are those of
// average linkage, as many as have the greatest mean silhouette (Rousseeuw 1987), and each of them
// is split again, as long as the silhouette is that of clusters rather than of one cloud.
func Kinds(ctx context.Context, attempts []Attempt, o Options) ([]int, error) {
	if err := check(attempts, o); err != nil {
		return nil, err
	}
	c, err := measure(ctx, attempts, max(o.Channels, 1))
	if err != nil {
		return nil, err
	}
	kinds := make([]int, len(attempts))
	for i := range kinds {
		kinds[i] = -1
	}
	for _, own := range c.of {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for k, kind := range c.kinds(own) {
			kinds[own[k]] = kind
		}
	}
	return kinds, nil
}

// kinds are those of some successes.
func (c *changes) kinds(own []int) []int {
	kinds := make([]int, len(own))
	for i := range kinds {
		kinds[i] = -1
	}
	cells, scale := c.changing(own)
	white := func(row []float32) []float64 {
		all := make([]float64, len(cells))
		for k, v := range cells {
			all[k] = float64(row[v]) * scale[k]
		}
		return all
	}
	limit := 0.0 // of what changes where nothing happens
	if len(cells) > 0 && len(c.still) > 0 {
		var quiet []float64
		for _, i := range spread.Evenly(c.still, stillPairs) {
			quiet = append(quiet, floats.Norm(white(c.row(i)), 2))
		}
		slices.Sort(quiet)
		limit = quiet[int((1-stillShare)*float64(len(quiet)-1))]
	}
	var some, none []int // of own, where something changes, and nothing
	var unit [][]float64
	for k, i := range own {
		row := white(c.row(c.during[i]))
		if norm := floats.Norm(row, 2); norm > limit {
			floats.Scale(1/norm, row)
			some, unit = append(some, k), append(unit, row)
		} else {
			none = append(none, k)
		}
	}
	var found [][]int
	if len(none) >= fewSuccesses {
		found = append(found, none)
	}
	if len(some) >= fewSuccesses {
		found = append(found, split(directions(unit), some)...)
	}
	slices.SortFunc(found, func(x, y []int) int { return x[0] - y[0] })
	for kind, members := range found {
		for _, k := range members {
			kinds[k] = kind
		}
	}
	return kinds
}

// changing are the values that a few successes at least clearly change, and 1 / standard deviation
// of each where nothing happens.
func (c *changes) changing(own []int) (cells []int, scale []float64) {
	if len(own) < fewSuccesses {
		return nil, nil
	}
	square := make([]float64, len(own))
	for v, variance := range c.noise {
		for k, i := range own {
			x := float64(c.row(c.during[i])[v])
			square[k] = x * x
		}
		slices.Sort(square)
		if square[len(square)-fewSuccesses] > clearly*clearly*variance {
			cells, scale = append(cells, v), append(scale, 1/math.Sqrt(variance))
		}
	}
	return cells, scale
}

// directions has the products of unit vectors, in the few dimensions in which they differ most: in
// the others they differ by noise.
func directions(unit [][]float64) *mat.SymDense {
	n := len(unit)
	products := mat.NewSymDense(n, nil)
	for i := range n {
		for k := range i + 1 {
			products.SetSym(i, k, floats.Dot(unit[i], unit[k]))
		}
	}
	if n > mostSplit { // the rest is compared as it is
		return products
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(products, true) {
		return products
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil)
	reduced := mat.NewDense(n, min(n, kindModes), nil)
	_, dims := reduced.Dims()
	for d := range dims {
		at := n - 1 - d
		for i := range n {
			reduced.Set(i, d, vectors.At(i, at)*math.Sqrt(max(values[at], 0)))
		}
	}
	for i := range n {
		row := reduced.RawRowView(i)
		floats.Scale(1/(floats.Norm(row, 2)+math.SmallestNonzeroFloat64), row)
	}
	products.SymOuterK(1, reduced)
	return products
}

// split divides vectors with these products into clusters, again and again. Of are what is
// returned in their place.
func split(products *mat.SymDense, of []int) [][]int {
	all := make([]int, len(of))
	for i := range all {
		all[i] = i
	}
	distance := func(i, k int) float64 { return math.Sqrt(max(2-2*products.At(i, k), 0)) }
	var found [][]int
	for queue := [][]int{all}; len(queue) > 0; queue = queue[1:] {
		parts := clusters(queue[0], distance)
		if len(parts) > 1 {
			queue = append(queue, parts...)
			continue
		}
		members := make([]int, len(queue[0]))
		for i, k := range queue[0] {
			members[i] = of[k]
		}
		slices.Sort(members)
		found = append(found, members)
	}
	return found
}

// clusters are those of average linkage with the greatest silhouette, of so many members at least;
// one where they are none. Of many members some are linked, and the rest goes to the nearest
// cluster.
func clusters(members []int, distance func(i, k int) float64) [][]int {
	some := spread.Evenly(members, mostSplit)
	best, most := [][]int{members}, silhouette+1/math.Sqrt(float64(len(some)))
	for _, parts := range linkage(some, distance) {
		covered := 0
		parts = slices.DeleteFunc(parts, func(p []int) bool { return len(p) < fewSuccesses })
		for _, p := range parts {
			covered += len(p)
		}
		if len(parts) < 2 || float64(covered) < (1-2*wrongShare)*float64(len(some)) {
			continue
		}
		if s := meanSilhouette(parts, distance); s > most {
			best, most = parts, s
		}
	}
	if len(best) < 2 || len(some) == len(members) {
		return best
	}
	for _, i := range members {
		if !slices.Contains(some, i) {
			k := nearest(i, best, distance)
			best[k] = append(best[k], i)
		}
	}
	return best
}

// nearest is the cluster with the least mean distance.
func nearest(i int, parts [][]int, distance func(i, k int) float64) int {
	at, least := 0, math.Inf(1)
	for k, p := range parts {
		if d := meanDistance(i, p, distance); d < least {
			at, least = k, d
		}
	}
	return at
}

// meanDistance is that of an element and others.
func meanDistance(i int, others []int, distance func(i, k int) float64) float64 {
	sum, n := 0.0, 0
	for _, k := range others {
		if k != i {
			sum, n = sum+distance(i, k), n+1
		}
	}
	return sum / float64(max(n, 1))
}

// meanSilhouette says how much nearer elements are to their own cluster than to the next, up to 1.
func meanSilhouette(parts [][]int, distance func(i, k int) float64) float64 {
	sum, n := 0.0, 0
	for at, p := range parts {
		for _, i := range p {
			own, other := meanDistance(i, p, distance), math.Inf(1)
			for k, q := range parts {
				if k != at {
					other = min(other, meanDistance(i, q, distance))
				}
			}
			sum, n = sum+(other-own)/max(own, other, math.SmallestNonzeroFloat64), n+1
		}
	}
	return sum / float64(n)
}

// linkage lists the clusterings of average linkage, of mostKinds clusters down to 2. Single changes
// that are like no others are clusters, too.
func linkage(members []int, distance func(i, k int) float64) (all [][][]int) {
	n := len(members)
	d := mat.NewSymDense(max(n, 1), nil)
	parts := make([][]int, n)
	for i, m := range members {
		parts[i] = []int{m}
		for k := range i {
			d.SetSym(i, k, distance(m, members[k]))
		}
	}
	live := make([]int, n)
	for i := range live {
		live[i] = i
	}
	for len(live) > 2 {
		a, b, least := 0, 0, math.Inf(1) // of live
		for i, x := range live {
			for k, y := range live[:i] {
				if v := d.At(x, y); v < least {
					a, b, least = k, i, v
				}
			}
		}
		x, y := live[a], live[b]
		p, q := float64(len(parts[x])), float64(len(parts[y]))
		for _, z := range live {
			if z != x && z != y {
				d.SetSym(x, z, (p*d.At(x, z)+q*d.At(y, z))/(p+q))
			}
		}
		parts[x] = slices.Concat(parts[x], parts[y])
		live = slices.Delete(live, b, b+1)
		if len(live) <= mostKinds {
			var now [][]int
			for _, z := range live {
				now = append(now, slices.Clone(parts[z]))
			}
			all = append(all, now)
		}
	}
	return all
}
