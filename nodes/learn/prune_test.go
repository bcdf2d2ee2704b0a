package learn_test

import (
	"strings"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/worlds/fixtures"
	"stripswm/nodes/learn"
)

// evidence is what attempts at a fixture leave: two images of each static interval.
func evidence(p fixtures.Fixture, attempts []fixtures.Step) learn.Evidence {
	e := learn.Evidence{Data: dataset.New(1, len(p.Skills), 0), Graph: p.Graph(attempts...)}
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
	return e
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
				r := must(learn.Repair(t.Context(), evidence(p, corrupted), taskgraph.ErrorShare))
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
			r := must(learn.Repair(t.Context(), evidence(p, fixtures.Misread(fixtures.Split(clean, 0.3, 1),
				0.002, 1)), taskgraph.ErrorShare))
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
		e := evidence(p, corrupted)
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
