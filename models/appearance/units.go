package appearance

import (
	"math"
	"slices"

	"stripswm/models/strips"
)

// calibrate computes the units of all measures at all nodes from held-out images: measured [images,
// measures], of is the node of each. Filters that tell nothing are dropped.
//
// A unit is what one held-out image in 200 exceeds. It is scaled by how much more or less the
// measure spreads at the node than at all nodes, and by what one image in 200 exceeds of the
// greatest measure of its kind, and of all, in these units.
func (a *Model) calibrate(measured [][]float64, of []strips.StateID) {
	unit := make([]float64, len(measured[0]))
	column := make([]float64, len(measured))
	for m := range unit {
		for k, row := range measured {
			column[k] = row[m]
		}
		slices.Sort(column)
		unit[m] = column[len(column)*199/200]
	}
	blocks := len(unit) - len(a.filters)
	dull := func(m int) bool { return m >= blocks && unit[m] > clearShare }
	a.filters = without(a.filters, func(i int) bool { return dull(blocks + i) })
	for k, row := range measured {
		measured[k] = without(row, dull)
	}
	unit = without(unit, dull)

	sums, counts := make([][]float64, len(a.means)), make([]float64, len(a.means))
	for s := range sums {
		sums[s] = make([]float64, len(unit))
	}
	pooled := make([]float64, len(unit))
	for k, row := range measured {
		counts[of[k]]++
		for m, v := range row {
			sums[of[k]][m] += v * v
			pooled[m] += v * v / float64(len(measured))
		}
	}
	// own is the unit at a node by the sum of squares of n images.
	kinds := []kind{{0, 1, leastWhole, 1}, {1, blocks, leastBlock, 1},
		{blocks, len(unit), leastShare, 1}}
	own := func(k kind, m int, sum, n float64) float64 {
		if pooled[m] == 0 {
			return k.least
		}
		spread := math.Sqrt((sum/pooled[m] + pooledImages) / (n + pooledImages))
		return max(k.least, k.scale*unit[m]*spread)
	}
	greatest := func(row []float64, s strips.StateID, k kind) (most float64) {
		for m := k.from; m < k.to; m++ {
			most = max(most, row[m]/own(k, m, sums[s][m]-row[m]*row[m], counts[s]-1))
		}
		return most
	}
	ofAll := make([]float64, len(measured))
	for i := range kinds {
		ofKind := make([]float64, len(measured))
		for k, row := range measured {
			ofKind[k] = greatest(row, of[k], kinds[i])
		}
		kinds[i].scale = oneIn200(ofKind)
		for k, row := range measured {
			ofAll[k] = max(ofAll[k], greatest(row, of[k], kinds[i]))
		}
	}
	all := max(1, oneIn200(ofAll))
	a.units = make([][]float64, len(a.means))
	for s := range a.means {
		// Mean and spread of n images are not known well.
		scale := all * (1 + 1/float64(max(1, a.images[s])))
		for _, k := range kinds {
			for m := k.from; m < k.to; m++ {
				a.units[s] = append(a.units[s], scale*own(k, m, sums[s][m], counts[s]))
			}
		}
	}
}

// kind is a kind of measures: over all, of blocks, of changes.
type kind struct {
	from, to int // of measures
	least    float64
	scale    float64 // what one image in 200 exceeds of the greatest of the kind
}

// without copies a list without those at which drop is true.
func without[T any](list []T, drop func(i int) bool) (kept []T) {
	for i, x := range list {
		if !drop(i) {
			kept = append(kept, x)
		}
	}
	return kept
}

// oneIn200 is what one number in 200 exceeds, by the median and what one in 20 exceeds, as if their
// logarithms were normally distributed: a few misread images do not count.
func oneIn200(numbers []float64) float64 {
	slices.Sort(numbers)
	median, tail := numbers[len(numbers)/2], numbers[len(numbers)*19/20]
	if median == 0 {
		return tail
	}
	const deviations = 2.576 / 1.645
	return median * math.Pow(tail/median, deviations)
}
