package vision

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Refine splits codes that cover several states, as far as the order of the
// recording tells these apart, and returns a code for each image again. Those of a
// split are numbered, the most frequent state first; pictures of refused attempts
// at it have none, unless they also belong to a transition.
//
// A code that one action leads from to two codes, both often (Evaluation.Conflicts),
// covers two states, or the second successor is over-split. How the robot came to
// it decides: a state is left in ways that do not depend on how it was reached,
// so ways in and ways out that occur together are of one state. Where the two
// successors follow on different ways in, the code is split between them.
// Stage 3 then learns to tell from pictures what stage 1 could not; who codes
// pictures later finds the splits in the task graph (SplitsOf, Locator).
func Refine(d *Dataset, codes []Code) []Code { return Splits{}.Refine(d, codes) }

// Splits says which codes cover several states, and which of the ways to reach and
// to leave these are of which state, by number.
type Splits map[Code]map[way]int

// Refine is the function Refine, with splits that are known from before.
func (s Splits) Refine(d *Dataset, codes []Code) []Code {
	splits := Splits{}
	maps.Copy(splits, s)
	splits.find(d, codes)
	if len(splits) == 0 {
		return codes
	}
	refined := splits.apply(d, codes)
	for _, t := range d.Transitions {
		for _, image := range []int{t.Before, t.After} {
			if code := refined[image]; splits[code] != nil {
				refined[image] = code.numbered(0) // reached and left in rare ways only
			}
		}
	}
	for _, t := range d.Refused {
		if splits[refined[t.Before]] != nil {
			refined[t.Before] = "" // at which of the states is not known
		}
	}
	return refined
}

// find adds the splits that the order of the recording shows and s does not have.
func (s Splits) find(d *Dataset, codes []Code) {
	conflicts := conflictsOf(d, codes)
	maps.DeleteFunc(conflicts, func(c Code, _ bool) bool { return s[c] != nil })
	if len(conflicts) == 0 {
		return
	}
	for code, list := range passagesOf(d, codes) {
		if !conflicts[code] {
			continue
		}
		if state := statesOf(list); state != nil {
			s[code] = state
		}
	}
}

// apply numbers the codes of images that show a code which covers several states
// and was reached or left in a way that tells which. Other images keep theirs.
func (s Splits) apply(d *Dataset, codes []Code) []Code {
	refined := slices.Clone(codes)
	if len(s) == 0 {
		return refined
	}
	for code, list := range passagesOf(d, codes) {
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

// numbered is the code of the k-th state of those that the code covers.
func (c Code) numbered(k int) Code { return c + Code("."+strconv.Itoa(k)) }

// shown takes a numbered code apart: the code of the pictures, and the number; -1
// where there is none.
func (c Code) shown() (Code, int) {
	before, after, _ := strings.Cut(string(c), ".")
	k, err := strconv.Atoi(after)
	if err != nil {
		return c, -1
	}
	return Code(before), k
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
				continue // a misread picture, a wrong label, or an end of the recording
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

// Conflict says whether an action leads from a node to two, both often: whether
// there is anything to refine in what the graph was built from.
func Conflict(g *taskgraph.Graph) bool {
	return slices.ContainsFunc(g.Nondeterministic(), func(b taskgraph.Branch) bool { return conflicting(b.Support) })
}

// conflictsOf are the codes that an action leads from to several codes, two of them often.
func conflictsOf(d *Dataset, codes []Code) map[Code]bool {
	left := map[Code]map[way]int{}
	for _, t := range d.Transitions {
		from := codes[t.Before]
		if left[from] == nil {
			left[from] = map[way]int{}
		}
		left[from][way{1, t.Action, codes[t.After]}]++
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
