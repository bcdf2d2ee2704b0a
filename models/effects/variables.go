package effects

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Variable is a place in the images that looks one of several ways, where skills tell which: a lamp
// that is on or off, a place with one of some objects or none.
type Variable struct {
	Cells         []int // of the image, row by row, ascending
	Looks         int
	Before, After []int // by attempt: the look, from 0; -1 where it is not clear
	Nats          float64
	wrong         float64 // share of its changes that skills do not tell
}

// variables finds the places whose looks skills tell. Light and shadows have looks, too, but no
// skill tells them.
func (c *changes) variables(ctx context.Context) ([]Variable, error) {
	places := c.places()
	s := c.album()
	price := math.Log(float64(len(places)*mostLooks) / falsePlaces)
	var found []Variable
	for _, place := range places {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, v := range s.divide(place, c.channels) {
			if c.told(&v, nil) > price {
				found = append(found, v)
			}
		}
	}
	found, err := c.foretold(ctx, found)
	if err != nil {
		return nil, err
	}
	worth := func(v Variable) float64 { return v.Nats + float64(v.Looks)*math.Log(falsePlaces) }
	slices.SortStableFunc(found, func(x, y Variable) int { return cmp.Compare(worth(y), worth(x)) })
	var different, kept []Variable
	for _, v := range found {
		same := func(w Variable) bool { return v.follows(w) && w.follows(v) }
		if !slices.ContainsFunc(different, same) {
			different = append(different, v)
		}
	}
	for _, v := range c.simpler(different) {
		if !slices.ContainsFunc(kept, func(w Variable) bool { // a part of the same change
			return v.follows(w) || c.changesWith(&v, &w) && c.told(&v, &w) < price
		}) {
			kept = append(kept, v)
		}
	}
	return kept, nil
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

// told is the evidence, in nats, that the skill tells the next look of a variable beyond what the
// look before tells, and the looks of another variable, which may be nil, before and after.
func (c *changes) told(v, other *Variable) float64 {
	var byLook, bySkill tables
	for k, own := range c.of {
		for _, i := range own {
			key := [4]int{v.Before[i]}
			if other != nil {
				key[1], key[2] = other.Before[i], other.After[i]
			}
			if next := v.After[i]; next >= 0 && min(key[0], key[1], key[2]) >= 0 {
				byLook.add(key, next, v.Looks)
				key[3] = 1 + k
				bySkill.add(key, next, v.Looks)
			}
		}
	}
	return bySkill.likelihood() - byLook.likelihood()
}

// foretold leaves out the variables of which the skill does not tell the next look, by the look
// before and the looks of a few others, and sets the evidence of the rest.
func (c *changes) foretold(ctx context.Context, all []Variable) ([]Variable, error) {
	f := c.newForeteller(all)
	for {
		for i := range all {
			if f.in[i] && !f.known[i] {
				f.foretell(i)
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		// The worst third goes first: what others do may depend on a variable that is none.
		var order []int
		for i := range all {
			if f.in[i] && all[i].wrong > mostSurprises {
				order = append(order, i)
			}
		}
		if len(order) == 0 {
			break
		}
		slices.SortStableFunc(order, func(x, y int) int {
			return cmp.Compare(all[y].wrong, all[x].wrong)
		})
		for _, i := range order[:(len(order)+2)/3] {
			f.in[i] = false
		}
		for i := range all {
			f.known[i] = f.known[i] && !slices.ContainsFunc(f.by[i], func(k int) bool { return !f.in[k] })
		}
	}
	var rest []Variable
	for i, v := range all {
		if f.in[i] {
			rest = append(rest, v)
		}
	}
	return rest, nil
}

// foreteller tells the next looks of variables by skills and the looks of others.
type foreteller struct {
	of            [][]int // by skill: successes
	all           []Variable
	before, after [][]int8 // by variable, attempt; as small as can be, since this takes most time
	price         float64  // of one more variable that tells, in nats
	in            []bool   // by variable: may tell others
	known         []bool   // by variable: how well it is told
	by            [][]int  // by variable: the others that tell it
}

func (c *changes) newForeteller(all []Variable) *foreteller {
	f := &foreteller{of: c.of, all: all, price: math.Log(float64(max(len(all), 1)) / falsePlaces),
		known: make([]bool, len(all)), by: make([][]int, len(all))}
	small := func(looks []int) []int8 {
		all := make([]int8, len(looks))
		for i, look := range looks {
			all[i] = int8(look)
		}
		return all
	}
	for _, v := range all {
		f.before, f.after = append(f.before, small(v.Before)), append(f.after, small(v.After))
		f.in = append(f.in, true)
	}
	return f
}

// foretell sets the evidence that a variable is told, and the share of its changes that is not.
func (f *foreteller) foretell(i int) {
	v := &f.all[i]
	var byLook tables
	surprising, changed, nats := 0, 0, 0.0
	f.by[i], f.known[i] = nil, true
	for _, own := range f.of {
		events := make([][]int, v.Looks)
		for _, e := range own {
			b, a := v.Before[e], v.After[e]
			if b < 0 || a < 0 {
				continue
			}
			events[b] = append(events[b], e)
			byLook.add([4]int{b}, a, v.Looks)
			if b != a {
				changed++
			}
		}
		for look, some := range events {
			if len(some) > 0 {
				n, told := f.surprises(i, look, some, mostOthers)
				surprising, nats = surprising+n, nats+told
			}
		}
	}
	v.Nats = nats - byLook.likelihood()
	v.wrong = float64(surprising) / float64(max(changed, 1))
}

// surprises is how many successes, all after one look of a variable, have another next look than
// most, where the looks of so many others before them tell more, and the log likelihood.
func (f *foreteller) surprises(i, look int, events []int, others int) (wrong int, nats float64) {
	looks, after := f.all[i].Looks, f.after[i]
	counts := make([]float64, looks)
	for _, e := range events {
		counts[after[e]]++
	}
	wrong, nats = len(events)-int(slices.Max(counts)), likelihood(counts, look)
	if wrong == 0 || others == 0 {
		return wrong, nats
	}
	best, most := -1, nats+f.price
	table := make([]float64, (mostLooks+1)*looks)
	for k, before := range f.before {
		if k == i || !f.in[k] {
			continue
		}
		rows := f.all[k].Looks + 1
		clear(table[:rows*looks])
		for _, e := range events {
			table[(int(before[e])+1)*looks+int(after[e])]++
		}
		sum := 0.0
		for m := range rows {
			sum += likelihood(table[m*looks:][:looks], look)
		}
		if sum > most {
			best, most = k, sum
		}
	}
	if best < 0 {
		return wrong, nats
	}
	f.by[i] = append(f.by[i], best)
	parts := make([][]int, f.all[best].Looks+1)
	for _, e := range events {
		row := f.before[best][e] + 1
		parts[row] = append(parts[row], e)
	}
	wrong, nats = 0, -f.price
	for _, part := range parts {
		if len(part) > 0 {
			n, told := f.surprises(i, look, part, others-1)
			wrong, nats = wrong+n, nats+told
		}
	}
	return wrong, nats
}

// simpler leaves out the variables that two others tell together, with fewer looks: a place where
// things of two others overlap, or a lamp that an object may hide beside the place of that object.
func (c *changes) simpler(all []Variable) []Variable {
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
				out[i] = v.follows(all[j], all[k])
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

// tables count next looks by some key that begins with the look before. They are kept in the order
// in which they occur, so that sums are the same each time.
type tables struct {
	at     map[[4]int]int
	keys   [][4]int
	counts [][]float64
}

func (t *tables) add(key [4]int, next, looks int) {
	i, has := t.at[key]
	if !has {
		if t.at == nil {
			t.at = map[[4]int]int{}
		}
		i = len(t.keys)
		t.at[key] = i
		t.keys, t.counts = append(t.keys, key), append(t.counts, make([]float64, looks))
	}
	t.counts[i][next]++
}

// likelihood is the log likelihood of all tables.
func (t *tables) likelihood() (sum float64) {
	for i, counts := range t.counts {
		sum += likelihood(counts, t.keys[i][0])
	}
	return sum
}

// likelihood is the log likelihood of the next looks after one look (Dirichlet-multinomial), by a
// prior that mostly keeps it.
func likelihood(counts []float64, look int) (sum float64) {
	gamma := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	total := 0.0
	for next, n := range counts {
		if n > 0 {
			prior := priorMass * (1 - keepShare) / float64(len(counts)-1)
			if next == look {
				prior = priorMass * keepShare
			}
			total += n
			sum += gamma(prior+n) - gamma(prior)
		}
	}
	if total == 0 {
		return 0
	}
	return sum + gamma(priorMass) - gamma(priorMass+total)
}
