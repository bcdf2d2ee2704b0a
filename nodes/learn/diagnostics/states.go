package diagnostics

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"math"
	"slices"
	"strings"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/strips"
)

// enough static intervals at a state are two to learn from and one to check with.
const enough = 3

// rare finds states that were seen at too few static intervals.
func rare(l Learned) (Diagnostic, bool) {
	visits, img := visitsOf(l)
	d := Diagnostic{Kind: Rare}
	for node, n := range visits {
		if n < enough {
			d.Examples = append(d.Examples, Example{img[node][0], img[node][1],
				fmt.Sprintf("state %d, seen at %s", node, count(n, "static interval"))})
		}
	}
	if len(d.Examples) == 0 {
		return d, false
	}
	d.What = fmt.Sprintf(
		"%d of %s seen at fewer than %d static intervals: too few to know what their images have in "+
			"common, so the planner may not recognize them", len(d.Examples), count(len(visits), "state"),
		enough)
	d.Do = "lead the scene there again, by other ways if there are any"
	return d, true
}

// visitsOf counts the static intervals at which each node was seen, and has the first and the last
// image of each.
func visitsOf(l Learned) (visits []int, img [][2]int) {
	visits, img = make([]int, l.Graph.NumStates()), make([][2]int, l.Graph.NumStates())
	seen := func(image int, begins bool) {
		node := l.Nodes[image]
		if node < 0 {
			return
		}
		if visits[node] == 0 {
			img[node][0] = image
			begins = true
		}
		img[node][1] = image
		if begins {
			visits[node]++
		}
	}
	for i, t := range l.Data.Transitions {
		before := strips.StateID(-1)
		if t.Follows && i > 0 {
			before = l.Nodes[l.Data.Transitions[i-1].After]
		}
		seen(t.Before, before != l.Nodes[t.Before])
		seen(t.After, true)
	}
	return visits, img
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

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

// misread is the share of a state's own images, those learned from, that the
// classifier confuses with another state's where nothing in them distinguishes the two.
const misread = 0.1

// confusion is a pair of states of which the classifier confuses some images of the one with
// the other's.
type confusion struct {
	is, read strips.StateID
	images   []int
}

// aliased finds pairs of states that the recording's order distinguishes and its images do not: of
// those that the classifier confuses, the misread images are no nearer to others of their state.
func aliased(l Learned) (Diagnostic, bool) {
	return confused(l, false,
		"the images do not show what tells %s of states apart: what can be done in them does",
		"let the camera see the difference: nearer, from another side, or with more pixels")
}

// unlearned finds pairs of states that the classifier confuses although their images differ.
func unlearned(l Learned) (Diagnostic, bool) {
	return confused(l, true, "the classifier confuses %s of states, though their images differ",
		"train the classifier longer, or with another --seed (--stage classifier)")
}

// confused is the diagnostic about confusions of states whose images differ, or do not.
func confused(l Learned, differ bool, what, do string) (Diagnostic, bool) {
	all, pairs := confusions(l)
	pairs = slices.DeleteFunc(pairs, func(c confusion) bool { return l.differ(c) != differ })
	if len(pairs) == 0 {
		return Diagnostic{}, false
	}
	d := Diagnostic{Kind: Confused, Do: do, What: fmt.Sprintf(what, count(len(pairs), "pair"))}
	_, img := visitsOf(l)
	for _, c := range pairs {
		d.Examples = append(d.Examples, Example{c.images[0], img[c.read][0],
			fmt.Sprintf("state %d, classified as %d, %d of %d times", c.is, c.read, len(c.images),
				all[c.is])})
	}
	return d, true
}

// confusions lists the pairs of states that the classifier confuses, the most frequent first,
// and how many images of each state it was shown.
func confusions(l Learned) (all map[strips.StateID]int, list []confusion) {
	type pair struct{ is, read strips.StateID }
	all, taken := map[strips.StateID]int{}, map[pair][]int{}
	for _, image := range slices.Sorted(maps.Keys(l.Read)) {
		is, read := l.Nodes[image], l.Read[image]
		if is < 0 {
			continue
		}
		if all[is]++; read >= 0 && read != is {
			taken[pair{is, read}] = append(taken[pair{is, read}], image)
		}
	}
	for p, images := range taken {
		if len(images) >= 2 && float64(len(images)) >= misread*float64(all[p.is]) {
			list = append(list, confusion{p.is, p.read, images})
		}
	}
	slices.SortFunc(list, func(a, b confusion) int {
		return cmp.Or(cmp.Compare(len(b.images), len(a.images)), cmp.Compare(a.is, b.is),
			cmp.Compare(a.read, b.read))
	})
	return all, list
}

// differ says whether most images of a confusion are nearer, pixel by pixel, to one of their own
// state from another static interval than to any of the other state.
func (l Learned) differ(c confusion) bool {
	intervals := intervalsOf(l.Data)
	right := 0
	for _, image := range c.images {
		own, other := math.Inf(1), math.Inf(1)
		for k := range l.Read {
			switch {
			case l.Nodes[k] == c.read:
				other = min(other, pixelDistance(l.Data, image, k))
			case l.Nodes[k] == c.is && intervals[k] != intervals[image]:
				own = min(own, pixelDistance(l.Data, image, k))
			}
		}
		if own < other {
			right++
		}
	}
	return 2*right > len(c.images)
}

// pixelDistance is the squared distance of two images.
func pixelDistance(d *dataset.Dataset, a, b int) float64 {
	sum, other := 0, d.Image(b)
	for i, v := range d.Image(a) {
		diff := int(v) - int(other[i])
		sum += diff * diff
	}
	return float64(sum)
}
