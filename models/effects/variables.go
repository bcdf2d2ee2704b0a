package effects

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"stripswm/internal/spread"
)

// Variable is a place in the images that looks one of several ways, where skills tell which: a lamp
// that is on or off, a place with one of some objects or none.
type Variable struct {
	Cells         []int // of the image, row by row, ascending
	Looks         int
	Before, After []int // by attempt: the look, from 0; -1 where it is not clear
	Nats          float64
	wrong         float64 // share of its changes that skills do not tell, but for the few by chance
	surprised     float64 // share of all its changes that skills do not tell
}

// variables finds the places whose looks skills tell. Light and shadows have looks, too, but no
// skill tells them.
func (c *changes) variables(ctx context.Context) ([]Variable, error) {
	places := c.places()
	s := c.album()
	price := math.Log(float64(len(places)*mostLooks) / falsePlaces)
	every := spread.Indices(len(s.images), len(s.images))
	var found []Variable
	for _, place := range places {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, look := range cluster(s.view(place, c.channels).apart(every, lookDims), nearby) {
			if v := s.variable(place, look); c.told(&v, nil, false) > price {
				found = append(found, v)
			}
		}
	}
	found, err := c.foretold(ctx, found)
	if err != nil {
		return nil, err
	}
	if found, err = c.closer(ctx, s, c.distinct(found, price), price); err != nil {
		return nil, err
	}
	found, err = c.things(ctx, c.distinct(found, price), price) // divided parts may be alike
	if err != nil {
		return nil, err
	}
	return c.poses(ctx, found)
}

// distinct leaves out variables that tell what others do.
func (c *changes) distinct(all []Variable, price float64) (kept []Variable) {
	slices.SortStableFunc(all, func(x, y Variable) int { return cmp.Compare(y.worth(), x.worth()) })
	var different []Variable
	for _, v := range all {
		k := slices.IndexFunc(different, func(w Variable) bool { return v.follows(w) && w.follows(v) })
		switch {
		case k < 0:
			different = append(different, v)
		case v.Looks > different[k].Looks && c.adds(&v, &different[k]) > price,
			v.Looks < different[k].Looks && c.adds(&different[k], &v) <= price:
			different[k] = v
		}
	}
	different = c.simpler(different, price)
	part := func(v, w *Variable) bool { // of the same change
		return v.follows(*w) || v.Looks <= w.Looks && c.changesWith(v, w) && c.told(v, w, false) < price
	}
	out := make([]bool, len(different))
	for i := range different {
		v := &different[i]
		for k := range different {
			w := &different[k]
			out[i] = out[i] || k != i && !out[k] && part(v, w) && (k < i || !part(w, v))
		}
		if !out[i] {
			kept = append(kept, *v)
		}
	}
	return kept
}

// worth is the evidence for a variable, less a price of each of its looks.
func (v *Variable) worth() float64 { return v.Nats + float64(v.Looks)*math.Log(falsePlaces) }

// adds is the evidence that skills tell what the looks of a variable say beyond those of a coarser
// one.
func (c *changes) adds(fine, coarse *Variable) float64 {
	return max(c.told(fine, coarse, false), c.told(fine, coarse, true))
}

// changesWith says whether skills change v only where they change another variable, too. What
// changes by chance does not count.
func (c *changes) changesWith(v, w *Variable) bool {
	changes := 0
	var alone tables // next looks by look and skill, where the other one stays
	for k, own := range c.of {
		for _, i := range own {
			if min(v.Before[i], v.After[i], w.Before[i], w.After[i]) < 0 {
				continue
			}
			if v.Before[i] != v.After[i] {
				changes++
			}
			if w.Before[i] == w.After[i] {
				alone.add([4]int{v.Before[i], k}, v.After[i], v.Looks)
			}
		}
	}
	told := 0.0
	for i, counts := range alone.counts {
		if most := floats.MaxIdx(counts); most != alone.keys[i][0] {
			told += counts[most]
		}
	}
	return told <= mostSurprises*float64(changes)
}

// simpler leaves out the variables that two others tell together that change apart: a place where
// things of two others overlap, or a lamp that an object may hide beside the place of that object.
// Parts of one thing change together. Of what is left it leaves out what another one tells that has
// more looks, or that one if skills do not tell more of its looks.
func (c *changes) simpler(all []Variable, price float64) []Variable {
	out, order := make([]bool, len(all)), make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return all[y].Looks - all[x].Looks })
	for _, i := range order {
		v := &all[i]
		follow, beside := make([]bool, len(all)), make([]bool, len(all))
		for k := range all {
			follow[k] = all[k].follows(*v)
			beside[k] = !follow[k] && !c.changesWith(v, &all[k])
		}
		// instead says whether one may stand in the place of v, beside another one that is needed anyway.
		instead := func(j, k int) bool {
			return all[j].Looks < v.Looks && follow[j] && beside[k]
		}
		for j := range all {
			for k := range j {
				if out[i] || out[j] || out[k] || i == j || i == k {
					continue
				}
				if all[j].Looks+all[k].Looks > v.Looks && !instead(j, k) && !instead(k, j) {
					continue
				}
				sure := max(all[j].surprised, all[k].surprised) <= max(v.surprised, mostSurprises)
				out[i] = sure && c.apart(&all[j], &all[k]) && v.follows(all[j], all[k])
			}
		}
	}
	for at, i := range order {
		for _, k := range order[at+1:] {
			if !out[i] && !out[k] && all[k].follows(all[i]) {
				if c.adds(&all[i], &all[k]) > price || all[i].worth() > all[k].worth() {
					out[k] = true
				} else {
					out[i] = true
				}
			}
		}
	}
	var rest []Variable
	for i, v := range all {
		if !out[i] {
			rest = append(rest, v)
		}
	}
	return rest
}

// apart says whether hardly any success changes both of two variables.
func (c *changes) apart(v, w *Variable) bool {
	changes, both := 0, 0
	for _, own := range c.of {
		for _, i := range own {
			if min(v.Before[i], v.After[i], w.Before[i], w.After[i]) < 0 {
				continue
			}
			one, other := v.Before[i] != v.After[i], w.Before[i] != w.After[i]
			if one || other {
				changes++
			}
			if one && other {
				both++
			}
		}
	}
	return float64(both) <= mostSurprises*float64(changes)
}

// follows says whether the looks of others tell that of v.
func (v *Variable) follows(others ...Variable) bool {
	rows := 1
	for _, w := range others {
		rows *= w.Looks
	}
	counts, own, n := make([]int, rows*v.Looks), make([]int, v.Looks), 0
	for i := range 2 * len(v.Before) {
		look := func(v *Variable) int {
			if i%2 == 0 {
				return v.Before[i/2]
			}
			return v.After[i/2]
		}
		row, at := 0, look(v)
		for k := range others {
			m := look(&others[k])
			if m < 0 {
				at = -1
			}
			row = row*others[k].Looks + m
		}
		if at >= 0 {
			counts[row*v.Looks+at]++
			own[at]++
			n++
		}
	}
	wrong := n
	for m := range rows {
		wrong -= slices.Max(counts[m*v.Looks:][:v.Looks])
	}
	return float64(wrong) <= min(misread*float64(n), ownLooks*float64(n-slices.Max(own)))
}

// compact numbers the looks that there are.
func (v *Variable) compact() {
	number := make([]int, v.Looks)
	for _, of := range [][]int{v.Before, v.After} {
		for _, look := range of {
			if look >= 0 {
				number[look] = 1
			}
		}
	}
	v.Looks = 0
	for look, is := range number {
		number[look] = v.Looks
		v.Looks += is
	}
	for _, of := range [][]int{v.Before, v.After} {
		for e, look := range of {
			if look >= 0 {
				of[e] = number[look]
			}
		}
	}
}
