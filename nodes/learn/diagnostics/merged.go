package diagnostics

import (
	"fmt"
	"hash/maphash"
	"strings"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/strips"
)

// merged finds states of the graph that are several states of the scene: an action has several
// outcomes there, each seen often, or the images are several, each seen again and again, pixel
// by pixel (so only where there is no noise).
func merged(l Learned) (Diagnostic, bool) {
	d := Diagnostic{
		Kind: Merged,
		Do: "train with another --seed, or longer; if that does not help, see that each skill always " +
			"does the same in a state, and that the camera sees the difference",
	}
	_, img := visitsOf(l)
	found := map[strips.StateID]bool{}
	for _, o := range severalOutcomes(l) {
		found[o.state] = true
		d.Examples = append(d.Examples, Example{img[o.state][0], img[o.state][1], o.words})
	}
	for _, g := range severalImages(l) {
		found[l.Nodes[g[0]]] = true
		d.Examples = append(d.Examples,
			Example{g[0], g[1], fmt.Sprintf("state %d, %d different images, each seen several times",
				l.Nodes[g[0]], len(g))})
	}
	d.What = fmt.Sprintf(
		"%d of %s may each be several states in one: an action has several outcomes there, or the "+
			"images are of several kinds", len(found), count(l.Graph.NumStates(), "state"))
	return d, len(found) > 0
}

// outcomes is what an action came to in a state, in words.
type outcomes struct {
	state strips.StateID
	words string
}

// severalOutcomes lists states and actions with a second outcome, another state or a refusal,
// that was seen more often than wrong labels and misread images explain.
func severalOutcomes(l Learned) []outcomes {
	var pairs []stateAction
	counts, words := map[stateAction][]int{}, map[stateAction][]string{}
	saw := func(w stateAction, n int, what string) {
		if counts[w] == nil {
			pairs = append(pairs, w)
		}
		counts[w], words[w] = append(counts[w], n), append(words[w], fmt.Sprintf("%s (%s)", what,
			count(n, "time")))
	}
	for _, e := range l.Graph.Edges {
		saw(stateAction{e.Source, e.Action}, e.Support, fmt.Sprintf("led to state %d", e.Target))
	}
	for _, r := range l.Graph.Refused {
		saw(stateAction{r.State, r.Action}, r.Count, "was refused")
	}
	var list []outcomes
	for _, w := range pairs {
		if identity.Conflicting(counts[w]) {
			list = append(list, outcomes{w.state, fmt.Sprintf("state %d, where %s %s", w.state,
				l.Graph.Label(w.action), strings.Join(words[w], " and "))})
		}
	}
	return list
}

// severalImages lists, for each state with several images that were each seen again, the same in
// every pixel, after something else had been done, these images.
func severalImages(l Learned) [][]int {
	type seen struct{ image, interval int }
	seed, first, again := maphash.MakeSeed(), map[uint64]seen{}, map[uint64]bool{}
	groups := make([][]int, l.Graph.NumStates())
	show := func(image, interval int) {
		node := l.Nodes[image]
		if node < 0 {
			return
		}
		sum := maphash.Bytes(seed, l.Data.Image(image))
		before, known := first[sum]
		if !known {
			first[sum] = seen{image, interval}
		}
		if known && !again[sum] && before.interval != interval {
			again[sum] = true
			groups[node] = append(groups[node], before.image)
		}
	}
	intervals := intervalsOf(l.Data)
	for _, t := range l.Data.Transitions {
		show(t.Before, intervals[t.Before])
		show(t.After, intervals[t.After])
	}
	var several [][]int
	for _, images := range groups {
		if len(images) > 1 {
			several = append(several, images)
		}
	}
	return several
}

// intervalsOf numbers the static intervals of a recording, by image.
func intervalsOf(d *dataset.Dataset) []int {
	intervals, interval := make([]int, d.Images()), 0
	for _, t := range d.Transitions {
		if !t.Follows {
			interval++
		}
		intervals[t.Before] = interval
		interval++
		intervals[t.After] = interval
	}
	for _, f := range d.Failed { // what it left is in no other interval
		interval++
		intervals[f.After] = interval
	}
	for image := 1; image < len(intervals); image++ {
		if intervals[image] == 0 { // of a refused attempt, after which nothing has changed
			intervals[image] = intervals[image-1]
		}
	}
	return intervals
}
