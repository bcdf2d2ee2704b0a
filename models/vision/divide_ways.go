package vision

import (
	"cmp"
	"maps"
	"slices"
)

// byWays divides the visits by how they begin and end, where their images are too much
// alike to begin with: a visit that came one way leaves in one of some ways, one that came
// another in one of others, as in Refine. Neighbours may cover several states, too, and
// lead from each of them to one of these: so up to two are joined to the visits, which
// then go on until all are left, or their ways are left out of account. That this is no habit of the robot's the images have
// to show: on which side a visit is has to be told by them, of visits that the division
// was not made on, far better than by coincidence. Or a neighbour is divided already, and an
// action leads to both of its sides: that is no habit.
func (v *stays) byWays(d *Dataset, codes []Code, touching map[Code][]int) *division {
	left := map[way]int{}
	for _, p := range v.list {
		left[p.out]++
	}
	conflict := inConflict(left)
	for _, some := range v.neighbours() {
		for _, runs := range [][]passage{runsThrough(d, codes, append(some, v.code), touching), v.leavingOut(some)} {
			if side := v.byRuns(runs, conflict); side != nil {
				return side
			}
		}
	}
	return nil
}

// byRuns divides the visits by the states that the ways of runs belong to.
func (v *stays) byRuns(runs []passage, sure bool) *division {
	number := statesOf(runs)
	states := 0
	for _, k := range number {
		states = max(states, k+1)
	}
	for k := 1; k < states; k++ {
		known, other := v.sides(runs, number, k)
		by := v.dividerOf(func(i int) bool { return known[i] }, other)
		if by == nil || !sure && v.told(known, other) <= dependent {
			continue
		}
		for i, looks := range v.piles {
			if !known[i] {
				other[i] = by.of(looks) > 0
			}
		}
		return &division{by, other}
	}
	return nil
}

// neighbours lists sets of codes beside: none, one, and two.
func (v *stays) neighbours() [][]Code {
	seen := map[Code]bool{}
	for _, p := range v.list {
		seen[p.in.other], seen[p.out.other] = true, true
	}
	delete(seen, "")
	delete(seen, v.code)
	neighbours := slices.Sorted(maps.Keys(seen))
	sets := [][]Code{nil}
	for i, a := range neighbours {
		sets = append(sets, []Code{a})
		for _, b := range neighbours[:i] {
			sets = append(sets, []Code{a, b})
		}
	}
	slices.SortStableFunc(sets, func(a, b []Code) int { return cmp.Compare(len(a), len(b)) })
	return sets
}

// leavingOut is the visits without the ways from and to some codes.
func (v *stays) leavingOut(some []Code) []passage {
	list := slices.Clone(v.list)
	for i := range list {
		if slices.Contains(some, list[i].in.other) {
			list[i].in = way{}
		}
		if slices.Contains(some, list[i].out.other) {
			list[i].out = way{}
		}
	}
	return list
}

// touching lists the transitions from and to each code.
func touching(d *Dataset, codes []Code) map[Code][]int {
	list := map[Code][]int{}
	for i, t := range d.Transitions {
		from, to := codes[t.Before], codes[t.After]
		list[from] = append(list[from], i)
		if to != from {
			list[to] = append(list[to], i)
		}
	}
	return list
}

// runsThrough lists the passages through several codes taken together.
func runsThrough(d *Dataset, codes, through []Code, touching map[Code][]int) (runs []passage) {
	var beside []int // transitions
	for _, c := range through {
		beside = append(beside, touching[c]...)
	}
	slices.Sort(beside)
	beside = slices.Compact(beside)
	var open passage
	var at Code // that the open run is at; none is open where it is empty
	end := func() {
		if at != "" {
			runs = append(runs, open)
		}
		open, at = passage{}, ""
	}
	for k, i := range beside {
		t := d.Transitions[i]
		from, to := codes[t.Before], codes[t.After]
		if !(t.Follows && from == at && k > 0 && beside[k-1] == i-1) {
			end()
		}
		if slices.Contains(through, from) {
			open.images, at = append(open.images, t.Before), from
		}
		within := slices.Contains(through, to)
		switch {
		case at != "" && !within:
			open.out = way{1, t.Action, to, from}
			end()
		case at == "" && within:
			open.in = way{0, t.Action, from, to}
		}
		if within {
			open.images, at = append(open.images, t.After), to
		}
	}
	end()
	return runs
}

// sides says which visits belong to runs of state k by their ways, and of which that is
// known.
func (v *stays) sides(runs []passage, number map[way]int, k int) (known, other []bool) {
	of := map[int]passage{} // by image
	for _, r := range runs {
		for _, image := range r.images {
			of[image] = r
		}
	}
	known, other = make([]bool, len(v.list)), make([]bool, len(v.list))
	for i, p := range v.list {
		in, came := number[of[p.images[0]].in]
		out, left := number[of[p.images[0]].out]
		known[i] = came && left && (in == k) == (out == k) || came != left
		other[i] = came && in == k || !came && left && out == k
	}
	return known, other
}

// told is the log Bayes factor for the images telling the sides apart, each visit by
// what was learned without a quarter of them, of which it is one.
func (v *stays) told(known, other []bool) float64 {
	const parts = 4
	sides := [2]map[way]int{{}, {}} // by what the images say, as if that were a way out
	for part := range parts {
		by := v.dividerOf(func(i int) bool { return known[i] && i%parts != part }, other)
		if by == nil {
			return 0
		}
		for i := part; i < len(v.piles); i += parts {
			if !known[i] {
				continue
			}
			side, says := 0, 0
			if other[i] {
				side = 1
			}
			if by.of(v.piles[i]) > 0 {
				says = 1
			}
			sides[side][way{out: says}]++
		}
	}
	if sides[0][way{out: 0}]*sides[1][way{out: 1}] <= sides[0][way{out: 1}]*sides[1][way{out: 0}] {
		return 0
	}
	return dependence(sides[0], sides[1])
}

// dividerOf tells the sides of the visits that count apart; nil if one is too small.
func (v *stays) dividerOf(counts func(visit int) bool, other []bool) *divider {
	sides := [2]*pile{newPile(len(v.piles[0].sum)), newPile(len(v.piles[0].sum))}
	for i, looks := range v.piles {
		if counts(i) && other[i] {
			sides[1].add(looks)
		} else if counts(i) {
			sides[0].add(looks)
		}
	}
	if min(sides[0].n, sides[1].n) < 2 {
		return nil
	}
	return newDivider(sides[0], sides[1])
}
