package identity

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// ring is a world of states 0..n-1 in a circle: actions 1 and 2 go on and back,
// and each state s has a short cut of its own, action 3+s, half way round.
const ring = 8

func step(s int, rng *rand.Rand) (a strips.ActionID, next int) {
	switch rng.IntN(3) {
	case 0:
		return 1, (s + 1) % ring
	case 1:
		return 2, (s + ring - 1) % ring
	}
	return strips.ActionID(3 + s), (s + ring/2) % ring
}

// recordRing is a recording of the ring with the true state of each image, and the code that code
// gives it.
func recordRing(steps int, thumbnail func(state int, rng *rand.Rand) string) (d *dataset.Dataset,
	states []int, codes []Code) {
	rng := rand.New(rand.NewPCG(3, uint64(steps)))
	d = dataset.New(1, 2+ring, 0)
	at := 0
	show := func(s int) int {
		states, codes = append(states, s), append(codes, Code(thumbnail(s, rng)))
		return len(states) - 1
	}
	for i := range steps {
		a, next := step(at, rng)
		d.Transitions = append(d.Transitions,
			dataset.Transition{Before: show(at), Action: a, After: show(next), Follows: i > 0})
		at = next
		if i%10 == 0 {
			image := show(at)
			d.Refused = append(
				d.Refused,
				dataset.Transition{
					Before: image,
					After:  image,
					Action: strips.ActionID(3 + (at+1)%ring),
				},
			)
		}
	}
	return d, states, codes
}

// TestRefineSplitsAliasedStates gives states 2 and 6 one code, with some images
// misread: the order of the recording separates them, and then each code is of one state.
func TestRefineSplitsAliasedStates(t *testing.T) {
	d, states, codes := recordRing(4000, func(s int, rng *rand.Rand) string {
		switch {
		case rng.IntN(200) == 0:
			return fmt.Sprint("misread ", rng.IntN(5))
		case s == 6:
			s = 2
		}
		return fmt.Sprint(s)
	})
	refined := Refine(d, codes)
	of := map[Code]map[int]int{}
	for i, c := range refined {
		if of[c] == nil {
			of[c] = map[int]int{}
		}
		of[c][states[i]]++
	}
	for _, c := range []Code{"2.0", "2.1"} {
		total, most := 0, 0
		for _, n := range of[c] {
			total, most = total+n, max(most, n)
		}
		if most < 300 || float64(most) < 0.97*float64(total) {
			t.Errorf("code %s shows states %v", c, of[c])
		}
	}
	if len(of["2"]) > 0 || len(of[""]) == 0 {
		t.Errorf("code 2 is left with %v, no code with %v", of["2"], of[""])
	}
	g, err := TaskGraph(d, refined, make([]string, 0))
	if err == nil {
		t.Errorf("a graph without actions: %v", g)
	}
}

// aliasedWord is the code of a state where states 2 and 6 have one code.
func aliasedWord(s int, _ *rand.Rand) string {
	if s == 6 {
		s = 2
	}
	return fmt.Sprint(s)
}

// ringGraph is the task graph of a recording, refined.
func ringGraph(t *testing.T, d *dataset.Dataset, codes []Code) *taskgraph.Graph {
	t.Helper()
	labels := make([]string, 2+ring)
	for i := range labels {
		labels[i] = fmt.Sprint("a", i+1)
	}
	g, err := TaskGraph(d, Refine(d, codes), labels)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// refusedAt says whether the image is that of a refused attempt.
func refusedAt(d *dataset.Dataset, image int) bool {
	return slices.ContainsFunc(d.Refused,
		func(t dataset.Transition) bool { return t.Before == image })
}

// TestLocatorOfSplitCode has a graph in which a code covers two states. One image shows either; the
// images of another, short recording are located by the transitions before and after.
func TestLocatorOfSplitCode(t *testing.T) {
	d, _, codes := recordRing(4000, aliasedWord)
	g := ringGraph(t, d, codes)
	l := NewLocator(g)
	both := l.Candidates("2")
	if len(both) != 2 || g.Nodes[both[0]].Support < g.Nodes[both[1]].Support {
		t.Fatalf("code 2 may be of nodes %v, want two, the more frequent first", both)
	}
	if one := l.Candidates("3"); len(one) != 1 || g.Nodes[one[0]].Code != "3" ||
		l.Candidates("9") != nil {
		t.Errorf("code 3 may be of nodes %v", one)
	}
	short, states, codes := recordRing(60, aliasedWord)
	nodeOf := map[int]strips.StateID{}
	for i, node := range l.Nodes(short, codes) {
		if codes[i] == "2" && refusedAt(short, i) {
			if node != -1 {
				t.Errorf("image %d of a refused attempt shows node %d", i, node)
			}
			continue
		}
		if other, seen := nodeOf[states[i]]; node < 0 || seen && other != node {
			t.Errorf("image %d of state %d shows node %d, others %d", i, states[i], node, other)
		}
		nodeOf[states[i]] = node
	}
	if len(nodeOf) != ring || nodeOf[2] == nodeOf[6] {
		t.Errorf("states are nodes %v", nodeOf)
	}
	if !slices.Equal(Refine(short, codes), codes) {
		t.Errorf("the short recording shows two states without the graph")
	}
}

// TestMergedAndDroppedStatesOfASplit has Fold and Prune after a split.
func TestMergedAndDroppedStatesOfASplit(t *testing.T) {
	d, states, codes := recordRing(4000, aliasedWord)
	g := ringGraph(t, d, codes)
	both := NewLocator(g).Candidates("2")
	merged, _ := g.Merge([][]strips.StateID{both})
	l := NewLocator(merged)
	if one := l.Candidates("2"); len(one) != 1 {
		t.Errorf("of one node, code 2 may be of %v", one)
	}
	for i, node := range l.Nodes(d, codes) {
		if node < 0 && !refusedAt(d, i) {
			t.Fatalf("image %d of state %d shows nothing", i, states[i])
		}
	}
	intervals := IntervalsOf(d, Refine(d, codes), g)
	intervals.Same[both[1]] = 0 // as of a misread image
	intervals.See(both[0], both[1])
	pruned, _ := g.Prune(0.1, intervals)
	found, of := map[int]int{}, map[int]int{}
	for i, node := range NewLocator(pruned).Nodes(d, codes) {
		if of[states[i]]++; node >= 0 {
			found[states[i]]++
		}
	}
	if min(found[2], found[6]) != 0 || max(found[2], found[6]) < of[2]/2 {
		t.Errorf("%d and %d images of two states show the node of one: want none of the other",
			found[2], found[6])
	}
}

// TestRefusedAttemptSharesItsImage: an image that also belongs to a transition
// keeps its code, and there is no node without a code.
func TestRefusedAttemptSharesItsImage(t *testing.T) {
	d, _, codes := recordRing(4000, aliasedWord)
	for i := range d.Refused {
		image := d.Refused[i].Before - 1 // what the transition before it left
		d.Refused[i].Before, d.Refused[i].After = image, image
	}
	for _, n := range ringGraph(t, d, codes).Nodes {
		if n.Code == "" || n.Code == "2" {
			t.Errorf("a node %+v", n)
		}
	}
}

// TestRefineLeavesOtherCodes has nothing to split: true states, states that are
// over-split, and two states with one code that the recording does not separate.
func TestRefineLeavesOtherCodes(t *testing.T) {
	for name, thumbnail := range map[string]func(int, *rand.Rand) string{
		"true states": func(s int, _ *rand.Rand) string { return fmt.Sprint(s) },
		"over-split": func(s int,
			rng *rand.Rand) string {
			return fmt.Sprint(s, "/", rng.IntN(1+s%3))
		},
		"one code": func(int, *rand.Rand) string { return "all" },
		"misread": func(s int, rng *rand.Rand) string {
			if rng.IntN(20) == 0 {
				s = rng.IntN(ring)
			}
			return fmt.Sprint(s)
		},
	} {
		d, _, codes := recordRing(4000, thumbnail)
		if refined := Refine(d, codes); !slices.Equal(refined, codes) {
			n := 0
			for i := range codes {
				if refined[i] != codes[i] {
					n++
				}
			}
			t.Errorf("%s: %d of %d images got another code", name, n, len(codes))
		}
	}
	if got := Refine(dataset.New(1, 1, 0), nil); len(got) != 0 {
		t.Errorf("nothing became %v", got)
	}
}
