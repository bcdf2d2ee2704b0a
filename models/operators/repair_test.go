package operators_test

import (
	"context"
	"testing"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// corrupt leads edge i to a wrong node and supports all others tenfold.
func corrupt(g *taskgraph.Graph, i int) (*taskgraph.Graph, taskgraph.Edge) {
	b := taskgraph.NewBuilder(g.Labels)
	var wrong taskgraph.Edge
	name := func(s strips.StateID) string { return string(rune('A' + s)) }
	for s := range strips.StateID(g.NumStates()) { // keep the numbering
		_ = b.Refuse(name(s), 1)
	}
	for k, e := range g.Edges {
		n := 10
		if k == i {
			n, e.Target = 1, (e.Target+5)%strips.StateID(g.NumStates())
			wrong = e
		}
		for range n {
			_ = b.Observe(name(e.Source), e.Action, name(e.Target))
		}
	}
	h := b.Graph()
	h.Refused = nil
	return h, wrong
}

// One corrupted successor must be blamed first, and paying for it must bring
// back all that it cost.
func TestSuspectsNameTheCorruptedEdge(t *testing.T) {
	g := sample(t, "blocksworld")
	blamed := 0
	for i := 0; i < len(g.Edges); i += 5 {
		h, wrong := corrupt(g, i)
		suspects, err := operators.Suspects(context.Background(), h, operators.Trust{})
		if err != nil {
			t.Fatal(err)
		}
		if len(suspects) == 0 { // the graph with the wrong edge is as good as another
			if r := learn(t, h, operators.Options{}); r.Report.Eta != 0 {
				t.Errorf("edge %d: nobody is suspected for eta = %d", i, r.Report.Eta)
			}
			continue
		}
		blamed++
		if top := suspects[0].Edge; top.Source != wrong.Source || top.Action != wrong.Action || top.Target != wrong.Target {
			t.Errorf("edge %d: suspects %+v, want first %+v", i, suspects[:min(3, len(suspects))], wrong)
		}
		r := learn(t, h, operators.Options{Pay: []taskgraph.Edge{wrong}})
		if r.Report.Eta != 0 || r.Report.Xi == 0 || r.Report.DistinctCodes != 16 {
			t.Errorf("edge %d paid for: %+v, want slack, eta 0 and 16 codes", i, r.Report)
		}
	}
	if blamed < 3 {
		t.Errorf("only %d corrupted edges did harm", blamed)
	}
}

func TestForcedGroupsMergeToTheTrueStates(t *testing.T) {
	g := sample(t, "dinner71_split40")
	groups, err := operators.Forced(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	merged, _ := g.Merge(groups)
	if merged.NumStates() < 71 || merged.NumStates() > 80 {
		t.Errorf("%d nodes after merging, of 111 with 71 true states", merged.NumStates())
	}
	if n := len(merged.Nondeterministic()); n > 0 {
		t.Errorf("%d nondeterministic pairs after merging", n)
	}
	clean, err := operators.Forced(context.Background(), sample(t, "blocksworld"))
	if err != nil || len(clean) > 0 {
		t.Errorf("forced together in a clean graph: %v %v", clean, err)
	}
}
