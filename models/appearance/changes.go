package appearance

import (
	"math"
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/pixels"
	"stripswm/models/strips"
)

// findParts compares the nodes before and after each transition. A part is a connected region of
// the thumbnail in which they differ, an object that is there before and not after, or half of it.
func (a *Model) findParts(d *dataset.Dataset, nodes []strips.StateID) (parts [][]float64) {
	seen := map[[2]strips.StateID]bool{}
	var changes [][]float64
	for _, t := range d.Transitions {
		s, u := nodes[t.Before], nodes[t.After]
		pair := [2]strips.StateID{min(s, u), max(s, u)}
		if s < 0 || u < 0 || s == u || seen[pair] ||
			min(a.images[s], a.images[u]) < changeImages {
			continue
		}
		seen[pair] = true
		for _, part := range a.parts(s, u) {
			if !slices.ContainsFunc(changes,
				func(p []float64) bool { return sameChange(p, part) }) {
				changes = append(changes, part)
			}
		}
	}
	side, _ := pixels.ThumbnailShape(a.size)
	for _, part := range changes {
		parts = append(parts, halves(part, side)...)
		parts = append(parts, part)
	}
	return parts[:min(len(parts), maxChanges)]
}

func sameChange(a, b []float64) bool {
	return math.Abs(dot(a, b)) > sameCosine*math.Sqrt(dot(a, a)*dot(b, b))
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// parts are the connected regions in which the means of two nodes differ.
func (a *Model) parts(s, u strips.StateID) (parts [][]float64) {
	side, _ := pixels.ThumbnailShape(a.size)
	strength, most := make([]float64, side*side), 0.0
	for i, v := range a.means[s] {
		by := math.Abs(a.means[u][i]-v) / math.Sqrt(a.variance[i])
		strength[i/3] = max(strength[i/3], by)
		most = max(most, by)
	}
	changed := make([]bool, side*side)
	for p, v := range strength {
		if v > max(changeEdge*most, leastChange) {
			around(p, side, func(q int) { changed[q] = true })
		}
	}
	for p := range changed {
		if !changed[p] {
			continue
		}
		region := flood(p, side, changed)
		if len(region) < changePixels {
			continue
		}
		part := make([]float64, len(a.means[s]))
		for _, q := range region {
			for i := 3 * q; i < 3*q+3; i++ {
				part[i] = a.means[u][i] - a.means[s][i]
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// around visits a pixel and those around it.
func around(p, side int, visit func(q int)) {
	for y := max(0, p/side-1); y <= min(side-1, p/side+1); y++ {
		for x := max(0, p%side-1); x <= min(side-1, p%side+1); x++ {
			visit(y*side + x)
		}
	}
}

// flood takes the connected pixels that are set, and clears them.
func flood(from, side int, set []bool) []int {
	set[from] = false
	region := []int{from}
	for i := 0; i < len(region); i++ {
		around(region[i], side, func(q int) {
			if set[q] {
				set[q] = false
				region = append(region, q)
			}
		})
	}
	return region
}

// halves of a part: left, right, upper and lower of its middle.
func halves(part []float64, side int) [][]float64 {
	var weight, x, y float64
	for i, v := range part {
		weight += v * v
		x += v * v * float64(i/3%side)
		y += v * v * float64(i/3/side)
	}
	cut := func(in func(px, py float64) bool) []float64 {
		half := make([]float64, len(part))
		for i, v := range part {
			if in(float64(i/3%side), float64(i/3/side)) {
				half[i] = v
			}
		}
		return half
	}
	x, y = x/weight, y/weight
	return [][]float64{
		cut(func(px, _ float64) bool { return px < x }),
		cut(func(px, _ float64) bool { return px >= x }),
		cut(func(_, py float64) bool { return py < y }),
		cut(func(_, py float64) bool { return py >= y }),
	}
}
