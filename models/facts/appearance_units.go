package facts

import (
	"slices"

	"stripswm/models/dataset"
)

// learnUnits sets the units by images that the parts were not learned from.
func (a *Appearance) learnUnits(d *dataset.Dataset, images []int, targets [][]float32) {
	var blocks []float64
	filters := [2][][]float64{make([][]float64, len(a.norms)), make([][]float64, len(a.norms))}
	shifts := make([][][]float64, len(directions))
	for k := range shifts {
		shifts[k] = make([][]float64, len(a.norms))
	}
	for _, i := range images {
		m := a.measure(d.Image(i), d.Size, targets[i], nil)
		blocks = append(blocks, m.block)
		for p, v := range m.filters {
			is := 0
			if targets[i][p] == 1 {
				is = 1
				for k, shift := range m.shifts {
					shifts[k][p] = append(shifts[k][p], shift[p])
				}
			}
			filters[is][p] = append(filters[is][p], v)
		}
	}
	a.block = units([][]float64{blocks})[0]
	a.filters = [2]unit{units(filters[0]), units(filters[1])}
	for _, values := range shifts {
		a.shifts = append(a.shifts, units(values))
	}
}

// units are what unitShare of the values exceed; where there are few, the greatest unit.
func units(measures [][]float64) unit {
	all, greatest := make(unit, len(measures)), 0.0
	for k, values := range measures {
		if len(values) < minUnits {
			continue
		}
		slices.Sort(values)
		all[k] = values[len(values)-1-int(unitShare*float64(len(values)))]
		greatest = max(greatest, all[k])
	}
	for k := range all {
		if all[k] == 0 {
			all[k] = max(greatest, 1e-9)
		}
	}
	return all
}
