package effects

import (
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"stripswm/models/internal/bitset"
)

// places are groups of cells that some skill changes and that change together, at several scales.
func (c *changes) places() [][]int {
	changed := c.changed()
	cells := c.values / c.channels
	bar := c.bars()
	own := make([]bitset.Set, cells) // by cell: the successes of skills that change it
	price := falsePlaces / float64(len(c.skills)*cells)
	for _, events := range c.of {
		all := bitset.New(len(c.attempts))
		for _, i := range events {
			all.Set(i)
		}
		chance := distuv.Binomial{N: float64(len(events)), P: uneven * rarely}
		for cell := range cells {
			n := changed[cell].Common(all)
			if n < 2 || bar[cell] || chance.Survival(float64(n)-1) >= price {
				continue
			}
			if own[cell] == nil {
				own[cell] = bitset.New(len(c.attempts))
			}
			own[cell].Add(all)
		}
	}
	var hot, size []int
	for cell := range cells {
		if own[cell] != nil {
			hot, size = append(hot, cell), append(size, 1)
		}
	}
	merges := dendrogram(size, func(i, k int) float64 {
		x, y := hot[i], hot[k]
		both, either := 0, 0 // successes at which they change, of skills that change one of them
		for w := range own[x] {
			of := own[x][w] | own[y][w]
			both += bits.OnesCount64(changed[x][w] & changed[y][w] & of)
			either += bits.OnesCount64((changed[x][w] | changed[y][w]) & of)
		}
		return 1 - float64(both)/float64(max(either, 1))
	})
	var all [][]int
	for _, together := range scales {
		for _, members := range cut(merges, len(hot), 1-together) {
			var place []int
			for _, i := range members {
				place = append(place, hot[i])
			}
			if !slices.ContainsFunc(all, func(p []int) bool { return slices.Equal(p, place) }) {
				all = append(all, place)
			}
		}
	}
	return all
}

// changed has by cell the successes at which it changes more than nearly all differences in which
// nothing happens.
func (c *changes) changed() []bitset.Set {
	cells := c.values / c.channels
	energy := func(row []float32, cell int) float64 {
		sum := 0.0
		for v := cell * c.channels; v < (cell+1)*c.channels; v++ {
			sum += float64(row[v]*row[v]) / c.noise[v]
		}
		return sum
	}
	level, values := make([]float64, cells), make([]float64, len(c.still))
	for cell := range level {
		for k, i := range c.still {
			values[k] = energy(c.row(i), cell)
		}
		slices.Sort(values)
		// One standard deviation at least, where a value hardly ever varies.
		level[cell] = max(values[int((1-rarely)*float64(len(values)-1))], 1)
	}
	changed := make([]bitset.Set, cells)
	for cell := range changed {
		changed[cell] = bitset.New(len(c.attempts))
	}
	for _, events := range c.of {
		for _, i := range events {
			row := c.row(c.during[i])
			for cell := range cells {
				if energy(row, cell) > level[cell] {
					changed[cell].Set(i)
				}
			}
		}
	}
	return changed
}

// bars are the cells that look like the corner in all images: those that a letterbox adds.
func (c *changes) bars() []bool {
	bar := make([]bool, c.values/c.channels)
	for cell := range bar {
		bar[cell] = true
	}
	for _, a := range c.attempts {
		for _, img := range [][]float32{a.Before, a.After} {
			for v, x := range img {
				bar[v/c.channels] = bar[v/c.channels] && x == img[v%c.channels]
			}
		}
	}
	return bar
}
