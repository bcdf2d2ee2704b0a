package vision

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"stripswm/models/strips"
)

// Refine splits codes that cover several states, as far as the order of the
// recording tells these apart, and returns a code for each image again. Those of a
// split are numbered, the most frequent state first; pictures of refused attempts
// at it have none.
//
// A code that one action leads from to two codes in conflict (Evaluation.Conflicts)
// covers two states, or the second successor is over-split. How the robot came to
// it decides: a state is left in ways that do not depend on how it was reached,
// so ways in and ways out that occur together are of one state. Where the two
// successors follow on different ways in, the code is split between them.
// Stage 3 then learns to tell from pictures what stage 1 could not.
func Refine(d *Dataset, codes []Code) []Code {
	refined := slices.Clone(codes)
	passages := passagesOf(d, codes)
	for _, code := range slices.Sorted(maps.Keys(passages)) {
		list := passages[code]
		state := statesOf(list)
		if state == nil {
			continue
		}
		for _, p := range list {
			k, known := state[p.out]
			if !known {
				k = state[p.in]
			}
			for _, image := range p.images {
				refined[image] = Code(fmt.Sprintf("%s.%d", code, k))
			}
		}
		for _, t := range d.Refused {
			if codes[t.Before] == code {
				refined[t.Before] = "" // at which of the states is not known
			}
		}
	}
	return refined
}

// way is how a code is reached or left.
type way struct {
	out    int // 1 for a way out, 0 for a way in
	action strips.ActionID
	other  Code // where from, or where to
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
		open.out, open.images = way{1, t.Action, to}, append(open.images, t.Before)
		passages[from] = append(passages[from], open)
		open, at = passage{in: way{0, t.Action, from}, images: []int{t.After}}, to
	}
	if len(d.Transitions) > 0 {
		passages[at] = append(passages[at], open)
	}
	return passages
}

// statesOf numbers the states that a code's ways belong to, the most frequent
// first; nil where there is no conflict, or none that the ways in explain.
func statesOf(list []passage) map[way]int {
	seen, together := map[way]int{}, map[[2]way]int{}
	for _, p := range list {
		seen[p.in]++
		seen[p.out]++
		together[[2]way{p.in, p.out}]++
	}
	delete(seen, way{})
	if !inConflict(seen) {
		return nil
	}
	parts := components(seen, together)
	slices.SortStableFunc(parts, func(a, b map[way]int) int { return cmp.Compare(visits(b), visits(a)) })
	parts = slices.DeleteFunc(parts, func(part map[way]int) bool { return visits(part) < 2*conflictSupport })
	if len(parts) < 2 || slices.ContainsFunc(parts, inConflict) {
		return nil
	}
	state := map[way]int{}
	for k, part := range parts {
		for w := range part {
			state[w] = k
		}
	}
	if !apart(together, state, len(parts)) {
		return nil
	}
	return state
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
	part := map[way]int{}
	for i, w := range ways {
		part[w] = i
	}
	for changed := true; changed; {
		changed = false
		for pair, n := range together {
			least := min(seen[pair[0]], seen[pair[1]])
			if least == 0 || n < 2 || 10*n < least {
				continue // a misread picture, a wrong label, or an end of the recording
			}
			if a, b := part[pair[0]], part[pair[1]]; a != b {
				part[pair[0]], part[pair[1]], changed = min(a, b), min(a, b), true
			}
		}
	}
	byPart := make([]map[way]int, len(ways))
	for w, k := range part {
		if byPart[k] == nil {
			byPart[k] = map[way]int{}
		}
		byPart[k][w] = seen[w]
	}
	return slices.DeleteFunc(byPart, func(p map[way]int) bool { return p == nil })
}

func visits(part map[way]int) int {
	n := 0
	for _, count := range part {
		n += count
	}
	return n
}

// inConflict says whether an action leads to two codes in conflict.
func inConflict(seen map[way]int) bool {
	successors := map[strips.ActionID][]int{}
	for w, n := range seen {
		if w.out == 1 {
			successors[w.action] = append(successors[w.action], n)
		}
	}
	for _, counts := range successors {
		if conflicting(counts) {
			return true
		}
	}
	return false
}

// conflictSupport is the number of sightings from which a second successor counts.
const conflictSupport = 3

// conflicting says whether the second of an action's successors was seen more often
// than misread pictures and wrong labels explain: three times, and in a tenth of
// the cases.
func conflicting(counts []int) bool {
	slices.Sort(counts)
	total := 0
	for _, n := range counts {
		total += n
	}
	return len(counts) > 1 && counts[len(counts)-2] >= conflictSupport && 10*counts[len(counts)-2] >= total
}

func compareWays(a, b way) int {
	return cmp.Or(cmp.Compare(a.out, b.out), cmp.Compare(a.action, b.action), cmp.Compare(a.other, b.other))
}
