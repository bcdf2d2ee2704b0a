package puzzles_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/taskgraph/puzzles"
)

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		puzzle                 puzzles.Puzzle
		states, actions, edges int
	}{
		{puzzles.Hanoi(3), 27, 6, 78}, // (3^4-3), the edges of Sierpinski's graph both ways
		{puzzles.Hanoi(4), 81, 6, 240},
		{puzzles.Tiles(2, 2), 12, 4, 24}, // 4!/2, two moves each
		{puzzles.Tiles(2, 3), 360, 4, 840},
		{puzzles.LightsOut(2, 3), 16, 6, 96}, // 2x3 has two independent quiet patterns
		{puzzles.LightsOut(1, 6), 64, 6, 384},
		{puzzles.LightsOut(3, 3), 512, 9, 4608},
		{puzzles.Sokoban(puzzles.OneBox), 90, 4, 202},
		{puzzles.Sokoban(puzzles.TwoBoxes), 76, 4, 174},
		{puzzles.KeyDoor(), 64, 5, 162}, // 3x4 with the key lying, 6x4 with the door shut, 7x4 with it open
		{puzzles.Carrier(3, 3), 90, 6, 258},
		{puzzles.Lamp(), 4, 3, 8},
	} {
		g := c.puzzle.Graph()
		if err := g.Validate(); err != nil {
			t.Errorf("%s: %v", c.puzzle.Name, err)
		}
		s := g.Stats()
		if s.States != c.states || s.Actions != c.actions || s.ActionsSeen != c.actions || s.Edges != c.edges || s.Pairs != c.edges || s.Refused != 0 || s.MinEdgeSupport != 1 {
			t.Errorf("%s: %+v, want %d states, %d actions, %d edges", c.puzzle.Name, s, c.states, c.actions, c.edges)
		}
	}
}

// The sample has a name for each disc and peg, which gives the same edges.
func TestHanoiIsTheSampleWithFewerNames(t *testing.T) {
	sample, err := taskgraph.ReadFile("../testdata/hanoi_3x3.dfa")
	if err != nil {
		t.Fatal(err)
	}
	if g := puzzles.Hanoi(3).Graph(); len(g.Edges) != len(sample.Edges) || len(g.Nodes) != len(sample.Nodes) {
		t.Errorf("%d nodes, %d edges; the sample has %d, %d", len(g.Nodes), len(g.Edges), len(sample.Nodes), len(sample.Edges))
	}
}

func TestSokobanHasDeadEndsAndKeyDoorNoWayBack(t *testing.T) {
	for name, p := range map[string]puzzles.Puzzle{"sokoban": puzzles.Sokoban(puzzles.OneBox), "key and door": puzzles.KeyDoor()} {
		resets := 0
		for _, a := range p.Walk(1000, 1) {
			if a.Reset {
				resets++
				if a.Before != p.Start {
					t.Errorf("%s: a reset leads to %s", name, a.Before)
				}
			}
		}
		if resets == 0 {
			t.Errorf("%s: no reset in 1000 attempts", name)
		}
	}
}

// Each attempt of a walk is what the puzzle does, and begins where the one before ended; about one in
// ten is refused where any skill can be.
func TestWalk(t *testing.T) {
	for _, p := range puzzles.All() {
		const n = 3000
		walk := p.Walk(n, 7)
		if diff := cmp.Diff(walk[:100], p.Walk(100, 7)); len(walk) != n || diff != "" {
			t.Errorf("%s: %d attempts; a shorter walk is no beginning of it: %s", p.Name, len(walk), diff)
		}
		at, refused := p.Start, 0
		for i, a := range walk {
			if a.Reset {
				at = p.Start
			}
			next, ok := p.Apply(at, a.Action)
			if a.Before != at || a.After != next || a.OK != ok {
				t.Fatalf("%s: attempt %d is %+v, want %s to %s, %v", p.Name, i, a, at, next, ok)
			}
			if !ok {
				refused++
			}
			at = a.After
		}
		if share := float64(refused) / n; !strings.HasPrefix(p.Name, "lights") && (share < 0.05 || share > 0.15) {
			t.Errorf("%s: %d of %d attempts refused", p.Name, refused, n)
		}
		exact, seen := p.Graph(), p.Graph(walk...)
		if len(seen.Nodes) > len(exact.Nodes) || len(seen.Edges) > len(exact.Edges) || len(seen.Nondeterministic()) > 0 {
			t.Errorf("%s: %d nodes, %d edges seen of %d, %d", p.Name, len(seen.Nodes), len(seen.Edges), len(exact.Nodes), len(exact.Edges))
		}
	}
}

func TestApplyOfUnknownActions(t *testing.T) {
	p := puzzles.Lamp()
	for _, a := range []strips.ActionID{-1, 0, 4} {
		if next, ok := p.Apply("off", a); ok || next != "off" {
			t.Errorf("action %d leads to %s, %v", a, next, ok)
		}
	}
}

func TestSplitNodes(t *testing.T) {
	p := puzzles.Hanoi(3)
	walk := p.Walk(3000, 1)
	split := puzzles.Split(walk, 0.3, 1)
	if g := p.Graph(split...); len(g.Nodes) != 27+8 || len(g.Nondeterministic()) == 0 {
		t.Errorf("%d nodes, want 8 of 27 twice", len(g.Nodes))
	}
	for i, a := range split {
		if strings.TrimSuffix(a.Before, puzzles.Half) != walk[i].Before || strings.TrimSuffix(a.After, puzzles.Half) != walk[i].After {
			t.Fatalf("attempt %d is %+v, was %+v", i, a, walk[i])
		}
	}
}

func TestMergedPair(t *testing.T) {
	p := puzzles.Tiles(2, 3)
	merged, pair := puzzles.Merge(p.Exact(), 3)
	g := p.Graph(merged...)
	if _, ok := g.Codes()[pair[0]+"+"+pair[1]]; !ok || len(g.Nodes) != 359 || pair[0] == pair[1] {
		t.Errorf("%d nodes, %v merged", len(g.Nodes), pair)
	}
}

func TestWrongLabels(t *testing.T) {
	p := puzzles.Carrier(3, 3)
	walk := p.Walk(4000, 1)
	wrong := 0
	for i, a := range p.Mislabel(walk, 0.1, 1) {
		if a.Action != walk[i].Action {
			wrong++
			if !a.OK || a.Action < 1 || int(a.Action) > len(p.Skills) {
				t.Errorf("attempt %d is %+v, was %+v", i, a, walk[i])
			}
		}
	}
	if wrong < 300 || wrong > 420 { // a tenth of about 3,600
		t.Errorf("%d wrong labels", wrong)
	}
}

func Example() {
	hanoi := puzzles.Hanoi(3)
	fmt.Println(len(hanoi.Graph().Nodes), "states")
	seen := hanoi.Graph(hanoi.Walk(100, 1)...)
	fmt.Println(len(seen.Nodes), "of them seen by a walk, and", len(seen.Refused), "refusals")
	// Output:
	// 27 states
	// 15 of them seen by a walk, and 10 refusals
}
