package identity

import (
	"cmp"
	"maps"
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Refine splits codes that cover aliased states, as far as the order of the recording separates
// these, and returns the code of each image. The parts are numbered, the most frequent state first;
// images of refused attempts have no code there, unless they also belong to a transition.
//
// If one action leads from a code to two codes, both often, the code covers two states, or one of
// the successors is split too much. The transitions in decide. In a state, the transition out does
// not depend on the transition in, so transitions that occur together belong to one state. Where
// the two successors follow after different transitions in, the code is split between these. Stage
// 3 then learns from the images what stage 1 did not. Later images are located by the task graph
// (Locator).
func Refine(d *dataset.Dataset, codes []Code) []Code {
	found := findSplits(d, codes)
	if len(found) == 0 {
		return codes
	}
	refined := found.apply(d, codes)
	for _, t := range d.Transitions {
		for _, image := range []int{t.Before, t.After} {
			if code := refined[image]; found[code] != nil {
				refined[image] = code.numbered(0) // reached and left by rare transitions only
			}
		}
	}
	for _, t := range d.Refused {
		if found[refined[t.Before]] != nil {
			refined[t.Before] = "" // at which of the states is not known
		}
	}
	return refined
}

// splits has, for each code that covers several states, which transitions in and out belong to
// which state, by number.
type splits map[Code]map[transition]int

// findSplits returns the splits that the order of the recording shows.
func findSplits(d *dataset.Dataset, codes []Code) splits {
	found := splits{}
	conflicts := conflictsOf(d, codes)
	if len(conflicts) == 0 {
		return found
	}
	for code, list := range visitsOf(d, codes) {
		if !conflicts[code] {
			continue
		}
		if state := statesOf(list); state != nil {
			found[code] = state
		}
	}
	return found
}

// apply numbers the codes of images whose code covers several states, where a transition in or out
// tells the state. Other images keep their code.
func (s splits) apply(d *dataset.Dataset, codes []Code) []Code {
	refined := slices.Clone(codes)
	for code, list := range visitsOf(d, codes) {
		if s[code] == nil {
			continue
		}
		for _, p := range list {
			k, known := s[code][p.out]
			if !known {
				k, known = s[code][p.in]
			}
			if !known {
				continue
			}
			for _, image := range p.images {
				refined[image] = code.numbered(k)
			}
		}
	}
	return refined
}

// transition is how a code is reached or left, seen from that code.
type transition struct {
	out    int // 1 for a transition out, 0 for one in
	action strips.ActionID
	other  Code // where from, or where to
	at     Code // of several codes taken together, the one that is entered or left
}

// visit is a visit to a code: the transitions in and out, zero where the recording does not have
// them, and the images in between.
type visit struct {
	in, out transition
	images  []int
}

// visitsOf lists the visits to each code. A transition and the one that follows belong to one visit
// if they show the same code.
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

// statesOf numbers the states that the transitions of a code in conflict belong to, the most
// frequent first; nil where the transitions in do not explain the conflict.
func statesOf(list []visit) map[transition]int {
	seen, together := map[transition]int{}, map[[2]transition]int{}
	for _, p := range list {
		seen[p.in]++
		seen[p.out]++
		together[[2]transition{p.in, p.out}]++
	}
	delete(seen, transition{})
	states := components(seen, together)
	slices.SortStableFunc(states,
		func(a, b map[transition]int) int { return cmp.Compare(count(b), count(a)) })
	states = slices.DeleteFunc(states, func(transitions map[transition]int) bool {
		return count(transitions) < 2*ConflictSupport
	})
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

// separated says whether transitions in and out of different states occur together at most a tenth
// as often as if the transition out did not depend on the transition in, where at least ten such
// visits were to be expected.
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
	return expected >= minExpected && across <= expected/seldom
}

// components are the sets of transitions that occur together, with how often each was seen.
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
			if least == 0 || n < minTogether || seldom*n < least {
				continue // misread, mislabelled, or an end of the recording
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

// count is how often the transitions were seen.
func count(transitions map[transition]int) int {
	n := 0
	for _, count := range transitions {
		n += count
	}
	return n
}

// HasConflict says whether an action leads from a node to two others, both often, so that there may
// be something to refine. It visits each edge once.
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

// conflictsOf are the codes from which an action leads to two codes, both often.
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

// Conflicting says whether the second of an action's successors was seen more often than misread
// images and wrong labels explain: three times, and in a tenth of the cases.
func Conflicting(counts []int) bool {
	slices.Sort(counts)
	total := 0
	for _, n := range counts {
		total += n
	}
	if len(counts) < 2 {
		return false
	}
	second := counts[len(counts)-2]
	return second >= ConflictSupport && seldom*second >= total
}

func compareTransitions(a, b transition) int {
	return cmp.Or(cmp.Compare(a.out, b.out), cmp.Compare(a.action, b.action),
		cmp.Compare(a.other, b.other), cmp.Compare(a.at, b.at))
}
