package identity

import (
	"cmp"
	"maps"
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// transition is how a code is reached or left.
type transition struct {
	out    int // 1 for a way out, 0 for a way in
	action strips.ActionID
	other  Code // where from, or where to
	at     Code // of several codes taken together, the one that is entered or left
}

// visit is a visit to a code: the way in and the way out, the zero way where
// the recording does not say, and the images in between.
type visit struct {
	in, out transition
	images  []int
}

// visitsOf lists the visits to each code. A transition and the one that follows
// belong to one visit if they show the same code.
func visitsOf(d *dataset.Dataset, codes []Code) map[Code][]visit {
	visits := map[Code][]visit{}
	open := visit{} // of the last transition's successor
	var at Code
	for i, t := range d.Transitions {
		from, to := codes[t.Before], codes[t.After]
		if i > 0 && !(t.Follows && from == at) {
			visits[at] = append(visits[at], open)
			open = visit{}
		}
		open.out, open.images = transition{1, t.Action, to, ""}, append(open.images, t.Before)
		visits[from] = append(visits[from], open)
		open, at = visit{in: transition{0, t.Action, from, ""}, images: []int{t.After}}, to
	}
	if len(d.Transitions) > 0 {
		visits[at] = append(visits[at], open)
	}
	return visits
}

// statesOf numbers the states that the ways of a code in conflict belong to, the
// most frequent first; nil where the ways in do not explain the conflict.
func statesOf(list []visit) map[transition]int {
	seen, together := map[transition]int{}, map[[2]transition]int{}
	for _, p := range list {
		seen[p.in]++
		seen[p.out]++
		together[[2]transition{p.in, p.out}]++
	}
	delete(seen, transition{})
	states := components(seen, together)
	slices.SortStableFunc(states, func(a, b map[transition]int) int { return cmp.Compare(count(b), count(a)) })
	states = slices.DeleteFunc(states, func(transitions map[transition]int) bool { return count(transitions) < 2*ConflictSupport })
	if len(states) < 2 || slices.ContainsFunc(states, inConflict) {
		return nil
	}
	number := map[transition]int{}
	for k, transitions := range states {
		for w := range transitions {
			number[w] = k
		}
	}
	if !separated(together, number, len(states)) {
		return nil
	}
	return number
}

// separated says whether ways in and ways out of different states occur together
// far more rarely than if how a code is left did not depend on how it was
// reached: at most a tenth as often, where ten times were to be expected.
func separated(together map[[2]transition]int, state map[transition]int, states int) bool {
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
func components(seen map[transition]int, together map[[2]transition]int) []map[transition]int {
	transitions := slices.SortedFunc(maps.Keys(seen), compareTransitions)
	component := map[transition]int{}
	for i, w := range transitions {
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
	members := make([]map[transition]int, len(transitions))
	for w, k := range component {
		if members[k] == nil {
			members[k] = map[transition]int{}
		}
		members[k][w] = seen[w]
	}
	return slices.DeleteFunc(members, func(m map[transition]int) bool { return m == nil })
}

func count(transitions map[transition]int) int {
	n := 0
	for _, count := range transitions {
		n += count
	}
	return n
}

// HasConflict says whether an action leads from a node to two, both often, so that there
// may be something to refine in what the graph was built from. It looks at each edge
// once.
func HasConflict(g *taskgraph.Graph) bool {
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
func conflictsOf(d *dataset.Dataset, codes []Code) map[Code]bool {
	left := map[Code]map[transition]int{}
	for _, t := range d.Transitions {
		from := codes[t.Before]
		if left[from] == nil {
			left[from] = map[transition]int{}
		}
		left[from][transition{1, t.Action, codes[t.After], ""}]++
	}
	conflicts := map[Code]bool{}
	for code, transitions := range left {
		if inConflict(transitions) {
			conflicts[code] = true
		}
	}
	return conflicts
}

// inConflict says whether an action leads to two codes, both often.
func inConflict(seen map[transition]int) bool {
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

// ConflictSupport is the number of sightings from which a second successor counts.
const ConflictSupport = 3

// Conflicting says whether the second of an action's successors was seen more often
// than misread images and wrong labels explain: three times, and in a tenth of
// the cases.
func Conflicting(counts []int) bool {
	slices.Sort(counts)
	total := 0
	for _, n := range counts {
		total += n
	}
	return len(counts) > 1 && counts[len(counts)-2] >= ConflictSupport && 10*counts[len(counts)-2] >= total
}

func compareTransitions(a, b transition) int {
	return cmp.Or(cmp.Compare(a.out, b.out), cmp.Compare(a.action, b.action), cmp.Compare(a.other, b.other), cmp.Compare(a.at, b.at))
}
