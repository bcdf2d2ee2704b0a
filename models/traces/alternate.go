package traces

import "slices"

// alternating returns the regions that every action changes, where there are some, one for each set
// of actions that followed one another: who directly follows whom has the other sign. The gripper's
// being empty is one where all skills pick and place.
func alternating(t *trace) []*region {
	n := len(t.ids)
	parent, odd := make([]int, n), make([]bool, n) // odd: the sign is not that of the parent
	for a := range parent {
		parent[a] = a
	}
	root := func(a int) (int, bool) {
		flip := false
		for parent[a] != a {
			odd[a] = odd[a] != odd[parent[a]] // halve the path
			parent[a] = parent[parent[a]]
			flip = flip != odd[a]
			a = parent[a]
		}
		return a, flip
	}
	for e := 1; e < len(t.events); e++ {
		before := e - 1
		if t.events[e].with == 0 {
			for before > 0 && t.events[before].with != 0 {
				before -= 2 // two actions together change nothing
			}
		}
		if t.events[e].with > 0 || before < 0 ||
			t.segment(int32(e)) != t.segment(int32(before)) {
			continue
		}
		x, xOdd := root(int(t.events[before].action))
		y, yOdd := root(int(t.events[e].action))
		if x != y {
			parent[y], odd[y] = x, xOdd == yOdd
		} else if xOdd == yOdd {
			return nil
		}
	}
	sets := map[int]*region{}
	var found []*region
	for a := range n {
		r, flip := root(a)
		if len(t.occurs[a]) == 0 {
			continue
		}
		if sets[r] == nil {
			sets[r] = &region{}
			found = append(found, sets[r])
		}
		sets[r].effects = append(sets[r].effects, effect{a, !flip})
	}
	return slices.DeleteFunc(found, func(r *region) bool { return !r.evaluate(t) })
}
