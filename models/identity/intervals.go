package identity

import (
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// IntervalsOf compares the two images of each static interval between a transition and the next:
// which nodes and edges of their task graph the codes of both confirm. Intervals with one image are
// left out.
func IntervalsOf(d *dataset.Dataset, codes []Code, g *taskgraph.Graph) *taskgraph.Intervals {
	m := taskgraph.NewIntervals(g)
	node := g.Codes()
	at := func(image int) strips.StateID { return node[string(codes[image])] }
	// what is seen before each transition
	between := make([][2]strips.StateID, len(d.Transitions)+1)
	for i, t := range d.Transitions {
		if i > 0 && t.Follows && d.Transitions[i-1].After != t.Before {
			between[i] = [2]strips.StateID{at(d.Transitions[i-1].After), at(t.Before)}
			m.See(between[i][0], between[i][1])
		}
	}
	for i, t := range d.Transitions {
		e := taskgraph.Edge{Source: at(t.Before), Action: t.Action, Target: at(t.After)}
		k, found := slices.BinarySearchFunc(g.Edges, e, taskgraph.CompareEdges)
		if found && !m.Misread(between[i][0], between[i][1]) &&
			!m.Misread(between[i+1][0], between[i+1][1]) {
			m.Clear[k]++
		}
	}
	return m
}

// Cuts lists the transitions that do not start in the state where the one before ended, although
// the recording says so (Transition.Follows): somebody changed the scene without a mark. Two images
// of one static interval with different codes may also be a misread image. So both codes have to be
// confirmed: each transition has to lead where its action leads most often from its code.
func Cuts(d *dataset.Dataset, codes []Code) []int {
	type doing struct {
		from   Code
		action strips.ActionID
	}
	seen := map[doing]map[Code]int{}
	for _, t := range d.Transitions {
		k := doing{codes[t.Before], t.Action}
		if seen[k] == nil {
			seen[k] = map[Code]int{}
		}
		seen[k][codes[t.After]]++
	}
	usual := func(t dataset.Transition) bool {
		to := seen[doing{codes[t.Before], t.Action}]
		own, all := to[codes[t.After]], 0
		for _, n := range to {
			all += n
		}
		return own >= minTogether && 2*own > all
	}
	var cuts []int
	for i, t := range d.Transitions {
		if i > 0 && t.Follows && codes[d.Transitions[i-1].After] != codes[t.Before] &&
			usual(d.Transitions[i-1]) && usual(t) {
			cuts = append(cuts, i)
		}
	}
	return cuts
}
