package planner_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"stripswm/models/operators"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// learned is a model of a sample graph.
func learned(t testing.TB, name string) (*taskgraph.Graph, *strips.Model) {
	g, err := taskgraph.ReadFile(filepath.Join("..", "operators", "testdata", name+".dfa"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := operators.Learn(context.Background(), g,
		operators.Options{Budget: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return g, r.Model
}

// steps is the distance of every node of the graph from one, -1 where there is no
// way.
func steps(g *taskgraph.Graph, from strips.StateID) []int {
	d := make([]int, g.NumStates())
	for s := range d {
		d[s] = -1
	}
	d[from] = 0
	for queue := []strips.StateID{from}; len(queue) > 0; queue = queue[1:] {
		for _, e := range g.Out(queue[0]) {
			if d[e.Target] < 0 {
				d[e.Target] = d[queue[0]] + 1
				queue = append(queue, e.Target)
			}
		}
	}
	return d
}

// A model that separates all nodes and refuses what the graph lacks, by
// preconditions or exceptions, has exactly the shortest plans of the graph.
func TestPlansOfLearnedModelsAreThoseOfTheGraph(t *testing.T) {
	for _, name := range []string{"blocksworld", "hanoi_3x3", "dinner101_s2"} {
		t.Run(name, func(t *testing.T) {
			g, m := learned(t, name)
			p, err := planner.New(m)
			if err != nil {
				t.Fatal(err)
			}
			for from := 0; from < g.NumStates(); from += 1 + g.NumStates()/12 {
				want := steps(g, strips.StateID(from))
				for to := range want {
					start, _ := m.Code(strips.StateID(from))
					goal, _ := m.Code(strips.StateID(to))
					with := []planner.Algorithm{planner.BreadthFirst, planner.LandmarkCut}[to%2]
					r, err := p.Find(context.Background(), start, goal, with, planner.Limits{})
					if err != nil {
						t.Fatal(err)
					}
					if r.Outcome == planner.Found && len(r.Plan) != want[to] || r.Outcome == planner.Unsolvable &&
						want[to] >= 0 {
						t.Fatalf("from %d to %d: %v with %d steps, want %d", from, to, r.Outcome, len(r.Plan),
							want[to])
					}
				}
			}
		})
	}
}
