package identity

import (
	"cmp"
	"maps"
	"slices"

	"stripswm/models/dataset"
)

// byTransitions divides the visits by how they start and end, where their images are too similar to
// start from: after one transition in, some transitions out follow, after another one others, as in
// Refine. Neighbours may cover several states, too, and lead from each of these to one state of
// this code. So the visits are also tried with up to two neighbours merged into them (runsThrough),
// or without the transitions from and to these.
//
// A habit of the robot could look the same. So the images have to confirm the division: they have
// to tell the side of visits that the discriminant was not computed from, far better than by
// coincidence (evidence). If an action leads to both sides of a neighbour that is split already,
// that is no habit.
func (v *visits) byTransitions(d *dataset.Dataset, codes []Code,
	touching map[Code][]int) *partition {
	left := map[transition]int{}
	for _, p := range v.list {
		left[p.out]++
	}
	conflict := inConflict(left)
	for _, some := range v.neighbours() {
		merged := runsThrough(d, codes, append(some, v.code), touching)
		for _, runs := range [][]visit{merged, v.without(some)} {
			if side := v.byRuns(runs, conflict); side != nil {
				return side
			}
		}
	}
	return nil
}

// byRuns divides the visits by the states that the transitions of runs belong to.
func (v *visits) byRuns(runs []visit, sure bool) *partition {
	number := statesOf(runs)
	states := 0
	for _, k := range number {
		states = max(states, k+1)
	}
	for k := 1; k < states; k++ {
		known, other := v.sides(runs, number, k)
		by := v.discriminantOf(func(i int) bool { return known[i] }, other)
		if by == nil || !sure && v.evidence(known, other) <= minEvidence {
			continue
		}
		for i, s := range v.sums {
			if !known[i] {
				other[i] = by.of(s) > 0
			}
		}
		return &partition{by, other}
	}
	return nil
}

// neighbours lists sets of neighbouring codes: of none, one, and two.
func (v *visits) neighbours() [][]Code {
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

// without is the visits without the transitions from and to some codes.
func (v *visits) without(some []Code) []visit {
	list := slices.Clone(v.list)
	for i := range list {
		if slices.Contains(some, list[i].in.other) {
			list[i].in = transition{}
		}
		if slices.Contains(some, list[i].out.other) {
			list[i].out = transition{}
		}
	}
	return list
}

// touching lists the transitions from and to each code.
func touching(d *dataset.Dataset, codes []Code) map[Code][]int {
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

// runsThrough lists the visits to several codes that are taken as one.
func runsThrough(d *dataset.Dataset, codes, through []Code,
	touching map[Code][]int) (runs []visit) {
	var beside []int // transitions
	for _, c := range through {
		beside = append(beside, touching[c]...)
	}
	slices.Sort(beside)
	beside = slices.Compact(beside)
	var open visit
	var at Code // that the open run is at; none is open where it is empty
	end := func() {
		if at != "" {
			runs = append(runs, open)
		}
		open, at = visit{}, ""
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
			open.out = transition{1, t.Action, to, from}
			end()
		case at == "" && within:
			open.in = transition{0, t.Action, from, to}
		}
		if within {
			open.images, at = append(open.images, t.After), to
		}
	}
	end()
	return runs
}

// sides says which visits belong to runs of state k by their transitions, and of which visits that
// is known.
func (v *visits) sides(runs []visit, number map[transition]int, k int) (known, other []bool) {
	of := map[int]visit{} // by image
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

// evidence is the log Bayes factor that the images depend on the side. Each visit is classified by
// a discriminant of the other three quarters of the visits.
func (v *visits) evidence(known, other []bool) float64 {
	sides := [2]map[transition]int{{}, {}} // by the side that the images show, as a transition
	for part := range parts {
		by := v.discriminantOf(func(i int) bool { return known[i] && i%parts != part }, other)
		if by == nil {
			return 0
		}
		for i := part; i < len(v.sums); i += parts {
			if !known[i] {
				continue
			}
			side, says := 0, 0
			if other[i] {
				side = 1
			}
			if by.of(v.sums[i]) > 0 {
				says = 1
			}
			sides[side][transition{out: says}]++
		}
	}
	first, second := transition{out: 0}, transition{out: 1}
	if sides[0][first]*sides[1][second] <= sides[0][second]*sides[1][first] {
		return 0
	}
	return dependence(sides[0], sides[1])
}

// discriminantOf separates the sides of the visits that count; nil if a side is too small.
func (v *visits) discriminantOf(counts func(visit int) bool, other []bool) *discriminant {
	sides := [2]*sums{newSums(len(v.sums[0].sum)), newSums(len(v.sums[0].sum))}
	for i, s := range v.sums {
		if counts(i) && other[i] {
			sides[1].add(s)
		} else if counts(i) {
			sides[0].add(s)
		}
	}
	if min(sides[0].n, sides[1].n) < 2 {
		return nil
	}
	return newDiscriminant(sides[0], sides[1])
}
