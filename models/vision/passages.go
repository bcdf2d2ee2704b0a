package vision

import (
	"cmp"
	"maps"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// way is how a code is reached or left.
type way struct {
	out    int // 1 for a way out, 0 for a way in
	action strips.ActionID
	other  Code // where from, or where to
	at     Code // of several codes taken together, the one that is entered or left
}

// passage is a visit to a code: the way in and the way out, the zero way where
// the recording does not say, and the images in between.
type passage struct {
	in, out way
	images  []int
}

// passagesOf lists the visits to each code. A transition and the one that follows
// belong to one visit if they show the same code.
func passagesOf(d *Dataset, codes []Code) map[Code][]passage {
	passages := map[Code][]passage{}
	open := passage{} // of the last transition's successor
	var at Code
	for i, t := range d.Transitions {
		from, to := codes[t.Before], codes[t.After]
		if i > 0 && !(t.Follows && from == at) {
			passages[at] = append(passages[at], open)
			open = passage{}
		}
		open.out, open.images = way{1, t.Action, to, ""}, append(open.images, t.Before)
		passages[from] = append(passages[from], open)
		open, at = passage{in: way{0, t.Action, from, ""}, images: []int{t.After}}, to
	}
	if len(d.Transitions) > 0 {
		passages[at] = append(passages[at], open)
	}
	return passages
}

// statesOf numbers the states that the ways of a code in conflict belong to, the
// most frequent first; nil where the ways in do not explain the conflict.
func statesOf(list []passage) map[way]int {
	seen, together := map[way]int{}, map[[2]way]int{}
	for _, p := range list {
		seen[p.in]++
		seen[p.out]++
		together[[2]way{p.in, p.out}]++
	}
	delete(seen, way{})
	states := components(seen, together)
	slices.SortStableFunc(states, func(a, b map[way]int) int { return cmp.Compare(visits(b), visits(a)) })
	states = slices.DeleteFunc(states, func(ways map[way]int) bool { return visits(ways) < 2*conflictSupport })
	if len(states) < 2 || slices.ContainsFunc(states, inConflict) {
		return nil
	}
	number := map[way]int{}
	for k, ways := range states {
		for w := range ways {
			number[w] = k
		}
	}
	if !apart(together, number, len(states)) {
		return nil
	}
	return number
}

// apart says whether ways in and ways out of different states occur together
// far more rarely than if how a code is left did not depend on how it was
// reached: at most a tenth as often, where ten times were to be expected.
func apart(together map[[2]way]int, state map[way]int, states int) bool {
	in, out := make([]float64, states), make([]float64, states)
	all, across := 0.0, 0.0
	for pair, count := range together {
		i, known := state[pair[0]]
		o, also := state[pair[1]]
		if !known || !also {
			continue
		}
		n := float64(count)
		all, in[i], out[o] = all+n, in[i]+n, out[o]+n
		if i != o {
			across += n
		}
	}
	expected := all
	for k := range in {
		expected -= in[k] * out[k] / max(all, 1)
	}
	return expected >= 10 && across <= expected/10
}

// components are the ways that occur together, with how often each does.
func components(seen map[way]int, together map[[2]way]int) []map[way]int {
	ways := slices.SortedFunc(maps.Keys(seen), compareWays)
	component := map[way]int{}
	for i, w := range ways {
		component[w] = i
	}
	for changed := true; changed; {
		changed = false
		for pair, n := range together {
			least := min(seen[pair[0]], seen[pair[1]])
			if least == 0 || n < 2 || 10*n < least {
				continue // a misread image, a wrong label, or an end of the recording
			}
			if a, b := component[pair[0]], component[pair[1]]; a != b {
				component[pair[0]], component[pair[1]], changed = min(a, b), min(a, b), true
			}
		}
	}
	members := make([]map[way]int, len(ways))
	for w, k := range component {
		if members[k] == nil {
			members[k] = map[way]int{}
		}
		members[k][w] = seen[w]
	}
	return slices.DeleteFunc(members, func(m map[way]int) bool { return m == nil })
}

func visits(ways map[way]int) int {
	n := 0
	for _, count := range ways {
		n += count
	}
	return n
}

// Conflict says whether an action leads from a node to two, both often, so that there
// may be something to refine in what the graph was built from. It looks at each edge
// once.
func Conflict(g *taskgraph.Graph) bool {
	var counts []int
	for i, e := range g.Edges {
		if i > 0 && (e.Source != g.Edges[i-1].Source || e.Action != g.Edges[i-1].Action) {
			counts = counts[:0]
		}
		if counts = append(counts, e.Support); Conflicting(counts) {
			return true
		}
	}
	return false
}

// conflictsOf are the codes that an action leads from to several codes, two of them often.
func conflictsOf(d *Dataset, codes []Code) map[Code]bool {
	left := map[Code]map[way]int{}
	for _, t := range d.Transitions {
		from := codes[t.Before]
		if left[from] == nil {
			left[from] = map[way]int{}
		}
		left[from][way{1, t.Action, codes[t.After], ""}]++
	}
	conflicts := map[Code]bool{}
	for code, ways := range left {
		if inConflict(ways) {
			conflicts[code] = true
		}
	}
	return conflicts
}

// inConflict says whether an action leads to two codes, both often.
func inConflict(seen map[way]int) bool {
	type doing struct {
		at     Code
		action strips.ActionID
	}
	successors := map[doing][]int{}
	for w, n := range seen {
		if w.out == 1 {
			successors[doing{w.at, w.action}] = append(successors[doing{w.at, w.action}], n)
		}
	}
	for _, counts := range successors {
		if Conflicting(counts) {
			return true
		}
	}
	return false
}

// conflictSupport is the number of sightings from which a second successor counts.
const conflictSupport = 3

// Conflicting says whether the second of an action's successors was seen more often
// than misread images and wrong labels explain: three times, and in a tenth of
// the cases.
func Conflicting(counts []int) bool {
	slices.Sort(counts)
	total := 0
	for _, n := range counts {
		total += n
	}
	return len(counts) > 1 && counts[len(counts)-2] >= conflictSupport && 10*counts[len(counts)-2] >= total
}

func compareWays(a, b way) int {
	return cmp.Or(cmp.Compare(a.out, b.out), cmp.Compare(a.action, b.action), cmp.Compare(a.other, b.other), cmp.Compare(a.at, b.at))
}
