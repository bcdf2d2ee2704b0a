package learn_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/worlds/fixtures"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
)

// evidence is what attempts leave: two images of each static interval, and a graph of their codes.
func evidence(labels []string, attempts []fixtures.Step) learn.Evidence {
	e := learn.Evidence{Data: dataset.New(1, len(labels), 0)}
	show := func(code string) int {
		e.Codes = append(e.Codes, identity.Code(code))
		return len(e.Codes) - 1
	}
	lost := true
	for _, t := range attempts {
		lost = lost || t.Reset
		if !t.OK {
			at := show(t.Before)
			e.Data.Refused = append(e.Data.Refused, dataset.Transition{Before: at, Action: t.Action,
				After: at})
			continue
		}
		e.Data.Transitions = append(e.Data.Transitions, dataset.Transition{Before: show(t.Before),
			Action: t.Action, After: show(t.After), Follows: !lost})
		lost = false
	}
	e.Graph = must(identity.TaskGraph(e.Data, e.Codes, labels))
	return e
}

// corridor is a policy to and fro along rooms 0 to 7 by actions 1 and 2; action 3+r
// jumps from room r by four. look says what code a room has.
func corridor(steps int, code func(room int, rng *rand.Rand) string) learn.Evidence {
	const rooms = 8
	rng := rand.New(rand.NewPCG(5, 0))
	var attempts []fixtures.Step
	for room := 0; len(attempts) < steps; {
		action, next := 1, (room+1)%rooms
		switch rng.IntN(3) {
		case 1:
			action, next = 2, (room+rooms-1)%rooms
		case 2:
			action, next = 3+room, (room+4)%rooms
		}
		attempts = append(attempts, fixtures.Step{Before: code(room, rng),
			Action: strips.ActionID(action), After: code(next, rng), OK: true})
		room = next
	}
	return evidence(strings.Fields("to fro a b c d e f g h"), attempts)
}

// faulty looks as an encoder does that gives rooms 2 and 6 one code, room 4 two, and
// misreads one image in two hundred.
func faulty(room int, rng *rand.Rand) string {
	switch {
	case rng.IntN(200) == 0:
		return fmt.Sprint("misread", rng.IntN(5))
	case room == 6:
		return "2"
	case room == 4:
		return fmt.Sprint("4", rng.IntN(2))
	}
	return fmt.Sprint(room)
}

func TestRepairFindsTheRooms(t *testing.T) {
	e := corridor(6000, faulty)
	r := must(learn.Repair(context.Background(), e, taskgraph.ErrorShare))
	if r.Graph.NumStates() != 8 || len(r.Graph.Edges) != 24 || len(r.Graph.Nondeterministic()) != 0 {
		t.Errorf("%d states, %d edges, %d nondeterministic pairs: want 8, 24 and none",
			r.Graph.NumStates(), len(r.Graph.Edges), len(r.Graph.Nondeterministic()))
	}
	if diff := cmp.Diff([]identity.Code{"2"}, r.Split); diff != "" {
		t.Errorf("split:\n%s", diff)
	}
	if n := r.Repairs(); n.SplitCodes != 1 || n.DroppedNodes != 5 || n.DroppedEdges == 0 ||
		n.MergedNodes != 1 {
		t.Errorf("repairs %+v", n)
	}
	merges := r.Merges()
	if len(merges) != 1 || !slices.Equal(slices.Sorted(slices.Values(merges[0].Codes)),
		[]string{"40", "41"}) || len(merges[0].Shown) != 3 {
		t.Errorf("merged %v, want the codes of room 4, shown by the three ways in", merges)
	}
}

// TestRepairOfAWholeGraph repairs what has no faults: it stays as it is.
func TestRepairOfAWholeGraph(t *testing.T) {
	e := corridor(500, func(room int, _ *rand.Rand) string { return fmt.Sprint(room) })
	r := must(learn.Repair(context.Background(), e, taskgraph.ErrorShare))
	if diff := cmp.Diff(e.Graph, r.Graph); diff != "" || r.Repairs() != (learn.Repairs{}) {
		t.Errorf("repairs %+v, graph:\n%s", r.Repairs(), diff)
	}
}

// TestChanges has an encoder give one room two codes, so that the two images of one static interval
// often differ: that is no change of the scene, and those that nobody marked are.
func TestChanges(t *testing.T) {
	for name, every := range map[string]int{"none": 0, "every hundredth attempt": 100} {
		e := corridor(3000, func(room int, rng *rand.Rand) string {
			if room == 4 {
				return fmt.Sprint("4", rng.IntN(2))
			}
			return fmt.Sprint(room)
		})
		var want []int
		for i := range e.Data.Transitions {
			room := func(image int) byte { return e.Codes[image][0] }
			if i == 0 || every == 0 || i%every > 0 {
				continue
			}
			e.Data.Transitions[i], e.Data.Transitions[i-1] = e.Data.Transitions[i-1], e.Data.Transitions[i]
			for k := i - 1; k < i+2; k++ {
				if room(e.Data.Transitions[k-1].After) != room(e.Data.Transitions[k].Before) {
					want = append(want, k)
				}
			}
		}
		cuts := identity.Cuts(e.Data, e.Codes)
		e.Data.Cut(cuts)
		r := must(learn.Repair(t.Context(), e, taskgraph.ErrorShare))
		found := learn.Changes(e.Data, cuts, identity.NewLocator(r.Graph).Nodes(e.Data, e.Codes))
		wrong := slices.DeleteFunc(slices.Clone(found),
			func(i int) bool { return slices.Contains(want, i) })
		if len(wrong) > 0 || 10*len(found) < 7*len(want) || len(cuts) == len(found) {
			t.Errorf("%s: %d cuts, of which %d are changes, want %d; no changes are %v", name, len(cuts),
				len(found), len(want), wrong)
		}
	}
}

// mistakes are what is wrong with a repaired graph.
type mistakes struct{ lostStates, lostEdges, falseStates, falseEdges int }

// evaluate compares a graph with the fixture: of its states and transitions, those that a
// corrupted walk shows at least once as they are may be lost.
func evaluate(p fixtures.Fixture, clean, corrupted []fixtures.Step,
	g *taskgraph.Graph,
) (m mistakes, states, edges int) {
	type edge struct {
		from string
		a    strips.ActionID
		to   string
	}
	attempted, shown, had := map[string]bool{}, map[string]bool{}, map[edge]bool{}
	for i, t := range clean {
		attempted[t.Before], attempted[t.After] = true, true
		if t.OK && t == corrupted[i] {
			shown[t.Before], shown[t.After], had[edge{t.Before, t.Action, t.After}] = true, true, true
		}
	}
	states, edges = len(shown), len(had)
	for code := range g.Codes() {
		if !attempted[code] {
			m.falseStates++
		}
		delete(shown, code)
	}
	for _, e := range g.Edges {
		from, to := g.Nodes[e.Source].Code, g.Nodes[e.Target].Code
		if next, ok := p.Apply(from, e.Action); !ok || next != to {
			m.falseEdges++
		}
		delete(had, edge{from, e.Action, to})
	}
	m.lostStates, m.lostEdges = len(shown), len(had)
	return m, states, edges
}

// TestRepairKeepsWhatIsRare repairs graphs of uniform policies, which visit some states of a
// world with dead ends a hundred times as often as others. Without errors nothing may
// go; with errors little that is true, and little that is not may stay.
func TestRepairKeepsWhatIsRare(t *testing.T) {
	yard := fixtures.Sokoban([]string{"@    ", " $ $ ", "     ", "#   #"})
	for _, p := range append(fixtures.All(), fixtures.Hanoi(4), fixtures.Tiles(2, 3), yard) {
		for name, c := range map[string]struct{ misread, mislabel, lost, wrong float64 }{
			"without errors":                  {0, 0, 0, 0},
			"one image in 200 misread":        {0.005, 0, 0.01, 0.01},
			"one image in 50 misread":         {0.02, 0, 0.025, 0.025},
			"one label in ten wrong":          {0, 0.1, 0.015, 0.1},
			"1 in 200 misread, 1 in 20 wrong": {0.005, 0.05, 0.015, 0.05},
		} {
			for _, n := range []int{3000, 12000} {
				clean := p.RunPolicy(n, 1)
				corrupted := p.Mislabel(fixtures.Misread(clean, c.misread, 1), c.mislabel, 1)
				r := must(learn.Repair(t.Context(), evidence(p.Skills, corrupted), taskgraph.ErrorShare))
				m, states, edges := evaluate(p, clean, corrupted, r.Graph)
				t.Logf("%s, %d attempts, %s: of %d states and %d edges %+v", p.Name, n, name, states, edges, m)
				few := func(n, of int, share float64) bool {
					return n == 0 ||
						float64(n) <= 1+share*float64(of) && share > 0
				}
				if !few(m.lostStates, states, c.lost) || !few(m.lostEdges, edges, c.lost) ||
					!few(m.falseStates, states, c.wrong) || !few(m.falseEdges, edges, c.wrong) {
					t.Errorf("%s, %d attempts, %s: of %d states and %d edges %+v", p.Name, n, name, states, edges,
						m)
				}
			}
		}
	}
}

// TestRepairMergesWhatOneIntervalShows has states of two codes, each image's drawn: they are
// put together, and nothing else is, also where no action shows it.
func TestRepairMergesWhatOneIntervalShows(t *testing.T) {
	state := func(code string) string {
		return strings.TrimRight(code, fixtures.Half+fixtures.Misreading)
	}
	for _, p := range append(fixtures.All(), fixtures.Hanoi(4)) {
		for _, n := range []int{1000, 4000} {
			clean := p.RunPolicy(n, 1)
			seen := fixtures.Misread(fixtures.Split(clean, 0.3, 1), 0.002, 1)
			r := must(learn.Repair(t.Context(), evidence(p.Skills, seen), taskgraph.ErrorShare))
			states, nodes := map[string]bool{}, map[string]bool{}
			for _, a := range clean {
				states[a.Before], states[a.After] = true, true
			}
			for _, node := range r.Graph.Nodes {
				nodes[state(node.Code)] = true
				for _, alias := range node.Aliases {
					if state(alias) != state(node.Code) {
						t.Errorf("%s, %d attempts: %s and %s are not one state", p.Name, n, node.Code, alias)
					}
				}
			}
			t.Logf("%s, %d attempts: %d nodes of %d states", p.Name, n, r.Graph.NumStates(), len(states))
			if lost := len(states) - len(nodes); lost > 1+len(states)/100 ||
				r.Graph.NumStates()-len(nodes) > 1+len(states)/50 {
				t.Errorf("%s, %d attempts: %d nodes of %d of %d states", p.Name, n, r.Graph.NumStates(),
					len(nodes), len(states))
			}
		}
	}
}

// TestRepairByOneImageAInterval has transitions in no order: rarity beside what else was
// done at a node is all the evidence there is, and hardly a true state may go.
func TestRepairByOneImageAInterval(t *testing.T) {
	for _, p := range fixtures.All() {
		clean := p.RunPolicy(12000, 1)
		corrupted := fixtures.Misread(clean, 0.005, 1)
		e := evidence(p.Skills, corrupted)
		for i := range e.Data.Transitions {
			e.Data.Transitions[i].Follows = false
		}
		r := must(learn.Repair(t.Context(), e, taskgraph.ErrorShare))
		if m, states, _ := evaluate(p, clean, corrupted, r.Graph); m.lostStates > 0 ||
			m.falseStates > states/20 {
			t.Errorf("%s: of %d states %+v", p.Name, states, m)
		}
	}
}

// TestRepairDropsWrongLabels repairs graphs of uniform policies in worlds with many
// skills, each of which hardly ever does what another does: of edges that were seen more
// often under their own label none may go, and none that was seen less often, under a wrong
// one, may stay but a third of the share of wrong labels.
func TestRepairDropsWrongLabels(t *testing.T) {
	for _, name := range []string{"blocksworld", "dinnertable", "dinnertablereal",
		"dinnertablerealcoarse", "keydoor", "lamps"} {
		for _, share := range []float64{0, 0.03, 0.1} {
			for seed := uint64(1); seed <= 3; seed++ {
				w := must(sim.New(name))
				e, known := mislabelled(w, share, seed)
				r := must(learn.Repair(t.Context(), e, taskgraph.ErrorShare))
				of, wrong := len(known), 0
				for _, edge := range r.Graph.Edges {
					from, to := r.Graph.Nodes[edge.Source].Code, r.Graph.Nodes[edge.Target].Code
					right := known[[2]string{from, to}]
					if right.label == r.Graph.Label(edge.Action) {
						delete(known, [2]string{from, to})
					} else if edge.Support < right.times {
						wrong++
					}
				}
				lost := 0
				for ends, right := range known {
					if right.times > most(e.Graph, ends, right.label) {
						lost++
					}
				}
				if float64(wrong) > 1+share*float64(of)/3 || lost > 0 {
					t.Errorf("%s, seed %d, %g %% wrong: of %d edges %d are lost, %d are false", name, seed,
						100*share, of, lost, wrong)
				}
			}
		}
	}
}

// most is how often a wrong label of an edge was seen, the most frequent one.
func most(g *taskgraph.Graph, ends [2]string, label string) int {
	n := 0
	for _, e := range g.Edges {
		if [2]string{g.Nodes[e.Source].Code, g.Nodes[e.Target].Code} == ends &&
			g.Label(e.Action) != label {
			n = max(n, e.Support)
		}
	}
	return n
}

// own is the label of an edge, and how often it was seen under it.
type own struct {
	label string
	times int
}

// mislabelled follows a policy in a world, records two images of each static interval, and gives a
// share of the transitions a wrong label. known are the edges that were seen under their own, by
// the codes of their ends, between which each of the worlds has one.
func mislabelled(w *sim.World, share float64, seed uint64) (e learn.Evidence,
	known map[[2]string]own) {
	steps := must(sim.RunPolicy(w, sim.Uniform, seed, w.Dataset().Transitions, sim.Faults{}))
	rng := rand.New(rand.NewPCG(seed, 99))
	known = map[[2]string]own{}
	code := func(s sim.State) string { return fmt.Sprint("s", int(s)) }
	var attempts []fixtures.Step
	for s := range steps {
		did := fixtures.Step{Before: code(s.State), Action: s.Action, After: code(s.Next), OK: s.OK}
		if s.OK && rng.Float64() < share {
			did.Action = strips.ActionID(1 + rng.IntN(w.NumActions()))
		}
		attempts = append(attempts, did)
		if to, ok := w.Apply(s.State, did.Action); s.OK && ok && to == s.Next {
			ends := [2]string{did.Before, did.After}
			known[ends] = own{w.ActionName(did.Action), known[ends].times + 1}
		}
	}
	return evidence(sim.ActionNames(w), attempts), known
}
