package operators_test

import (
	"context"
	"slices"
	"testing"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// without is a graph as it was before some of its edges, and its last nodes, were
// seen.
func without(g *taskgraph.Graph, edges, nodes int) *taskgraph.Graph {
	h := *g
	h.Nodes = h.Nodes[:len(h.Nodes)-nodes]
	known := func(s strips.StateID) bool { return int(s) < len(h.Nodes) }
	h.Edges = slices.DeleteFunc(slices.Clone(g.Edges), func(e taskgraph.Edge) bool {
		return !known(e.Source) || !known(e.Target)
	})
	for k := range edges {
		i := k * 7 % len(h.Edges)
		h.Edges = slices.Delete(h.Edges, i, i+1)
	}
	return &h
}

// relearn relearns the whole graph from a model of a part and has the result
// checked.
func relearn(t *testing.T, g, part *taskgraph.Graph,
	opt operators.Options,
) (old, now *operators.Result) {
	t.Helper()
	ctx := context.Background()
	old, err := operators.Learn(ctx, part, opt)
	if err != nil {
		t.Fatal(err)
	}
	was := make([]strips.StateID, g.NumStates())
	for s := range was {
		if was[s] = strips.StateID(s); s >= part.NumStates() {
			was[s] = -1
		}
	}
	if now, err = operators.Relearn(ctx, g, opt, old.Model, was); err != nil {
		t.Fatal(err)
	}
	sum, faults := check.Model(g, check.AllMissing(g), now.Model)
	for _, fault := range faults {
		t.Error(fault)
	}
	if sum.Predicates != now.Report.Predicates || sum.Eta != now.Report.Eta {
		t.Errorf("the report says %+v, the checker %+v", now.Report, sum)
	}
	return old, now
}

// short is enough for a model to begin with.
var short = operators.Options{Work: 1}

func TestRelearn(t *testing.T) {
	for name, eta := range map[string]int{"blocksworld": 0, "hanoi_3x3": 0, "gripper_4": 0} {
		t.Run(name, func(t *testing.T) {
			g := sample(t, name)
			for _, missing := range [][2]int{{0, 0}, {1, 0}, {5, 0}, {0, 1}, {3, 3}} {
				_, now := relearn(t, g, without(g, missing[0], missing[1]), short)
				if r := now.Report; r.Eta != eta || r.Xi != 0 || !r.Proved.Eta || !r.Proved.Xi {
					t.Errorf("%d edges and %d nodes later: %+v, want eta %d", missing[0], missing[1], r, eta)
				}
			}
			old, now := relearn(t, g, g, short)
			if now.Report.Predicates != old.Report.Predicates || now.Report.Effects != old.Report.Effects {
				t.Errorf("nothing has changed, but %+v became %+v", old.Report, now.Report)
			}
		})
	}
}

func TestRelearnKeepsToTheOptions(t *testing.T) {
	g := sample(t, "blocksworld")
	if _, now := relearn(t, g, without(g, 2, 0), operators.Options{Predicates: 9,
		Work: short.Work}); now.Report.Predicates != 9 {
		t.Errorf("%d predicates, want 9", now.Report.Predicates)
	}
	if _, now := relearn(t, g, without(g, 0, 2), operators.Options{Distinct: operators.Distinct{
		All: true}, Work: short.Work}); now.Report.DistinctCodes != 16 {
		t.Errorf("%d codes, want all different", now.Report.DistinctCodes)
	}
	if _, err := operators.Relearn(context.Background(),
		&taskgraph.Graph{Edges: make([]taskgraph.Edge, 1)}, operators.Options{}, &strips.Model{},
		nil); err == nil {
		t.Error("a malformed graph was taken")
	}
}

// TestGainIsWhatEtaFallsBy makes the trials of a model with exceptions succeed.
func TestGainIsWhatEtaFallsBy(t *testing.T) {
	ctx, g := context.Background(), sample(t, "dinner101_s3")
	identity := make([]strips.StateID, g.NumStates())
	for s := range identity {
		identity[s] = strips.StateID(s)
	}
	r, err := operators.Relearn(ctx, g, operators.Options{}, &strips.Model{}, identity)
	if err != nil {
		t.Fatal(err)
	}
	// Also of a model that leaves out what could be distinguished.
	poor, err := operators.Learn(ctx, sample(t, "blocksworld"), operators.Options{Predicates: 3,
		Work: short.Work})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		graph *taskgraph.Graph
		model *strips.Model
	}{{g, r.Model}, {sample(t, "blocksworld"), poor.Model}} {
		least := func(g *taskgraph.Graph) int {
			lost, err := operators.LeastEta(ctx, g, operators.Trust{})
			if err != nil {
				t.Fatal(err)
			}
			return len(lost)
		}
		trials, err := operators.Frontier(ctx, c.graph, operators.Trust{}, c.model)
		if err != nil || len(trials) == 0 {
			t.Fatal(trials, err)
		}
		for _, trial := range trials {
			if len(trial.Predicted) == 0 {
				continue
			}
			h := *c.graph
			e := taskgraph.Edge{Source: trial.State, Action: trial.Action, Target: trial.Predicted[0],
				Support: 1}
			at, _ := slices.BinarySearchFunc(h.Edges, e, taskgraph.CompareEdges)
			h.Edges = slices.Insert(slices.Clone(h.Edges), at, e)
			if fell := least(c.graph) - least(&h); fell != trial.Gain {
				t.Errorf("%+v: eta falls by %d", trial, fell)
			}
		}
	}
}
