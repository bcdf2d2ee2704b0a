package sim_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// dfa reads the published task graph: for each node, its targets by label.
func dfa(t *testing.T, path string) []map[string]int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")[3:]
	nodes := make([]map[string]int, len(lines))
	for i, line := range lines {
		nodes[i] = map[string]int{}
		fields := strings.Fields(line)[1:]
		for k := 0; k+1 < len(fields); k += 2 {
			var to int
			if _, err := fmt.Sscan(fields[k+1], &to); err != nil {
				t.Fatal(err)
			}
			nodes[i][fields[k]] = to
		}
	}
	return nodes
}

// isomorphic follows equal labels from a pair of roots: in deterministic graphs that settles it.
func isomorphic(g *sim.Graph, root sim.State, nodes []map[string]int, first int) bool {
	image := map[sim.State]int{root: first}
	taken := map[int]bool{first: true}
	queue := []sim.State{root}
	for i := 0; i < len(queue); i++ {
		out := g.Out(queue[i])
		want := nodes[image[queue[i]]]
		if len(out) != len(want) {
			return false
		}
		for _, e := range out {
			to, ok := want[g.World().ActionName(e.Action)]
			if !ok {
				return false
			}
			if known, seen := image[e.To]; seen && known == to {
				continue
			} else if seen || taken[to] {
				return false
			}
			image[e.To], taken[to] = to, true
			queue = append(queue, e.To)
		}
	}
	return len(queue) == len(nodes)
}

func TestBlocksWorldIsThePublishedGraph(t *testing.T) {
	w := world(t, "blocksworld")
	g := sim.GroundTruth(w)
	if w.NumStates() != 16 || w.NumActions() != 18 || len(g.States()) != 16 || len(g.Edges()) != 36 ||
		len(g.Actions()) != 18 {
		t.Fatalf("%d states, %d of them reached by %d edges of %d actions",
			w.NumStates(), len(g.States()), len(g.Edges()), len(g.Actions()))
	}
	nodes := dfa(t, "testdata/blocksworld.dfa")
	for first := range nodes {
		if isomorphic(g, w.Initial(), nodes, first) {
			return
		}
	}
	t.Error("not isomorphic to testdata/blocksworld.dfa")
}

func TestBlocksWorldActionIDs(t *testing.T) {
	w := world(t, "blocksworld")
	for id, name := range map[strips.ActionID]string{1: "pick_0_1", 6: "pick_1_3", 9: "pick_2_3",
		10: "place_0_1", 18: "place_2_3"} {
		if got := w.ActionName(id); got != name {
			t.Errorf("action %d is %s, not %s", id, got, name)
		}
	}
}
