package eval

import (
	"testing"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// corridor is a graph of four nodes, the last two of which are one state.
func corridor() *taskgraph.Graph {
	return &taskgraph.Graph{Labels: []string{"right", "left"},
		Nodes: []taskgraph.Node{{Support: 5}, {Support: 5}, {Support: 2}, {Support: 3}},
		Edges: []taskgraph.Edge{{Source: 0, Action: 1, Target: 1, Support: 1},
			{Source: 1, Action: 1, Target: 2, Support: 1},
			{Source: 1, Action: 1, Target: 3, Support: 1}, {Source: 1, Action: 2, Target: 0, Support: 1},
			{Source: 3, Action: 2, Target: 1, Support: 1}}}
}

func coded(codes ...string) *strips.Model {
	m := &strips.Model{Predicates: len(codes[0])}
	for i, code := range codes {
		s := must(strips.ParseState(code))
		m.States = append(m.States, strips.Known{Node: strips.StateID(i), Code: s})
	}
	return m
}

func TestFalsePositivesAreApplicablePairsWithoutEdge(t *testing.T) {
	m := coded("00", "10", "11", "11")
	m.Operators = []strips.Operator{
		{Action: 1, Name: "right", PreNeg: []strips.Predicate{1}},
		{Action: 2, Name: "left"},
	}
	// Left at node 0, where the corridor ends, and at node 2, where it was not seen.
	if n := operators.FalsePositives(corridor(), m); n != 2 {
		t.Errorf("%d false positives, want 2", n)
	}
}

func TestStatesAreTranslatedByTheirBestNode(t *testing.T) {
	from, to := coded("00", "10", "11", "11"), coded("000", "001", "010", "011")
	translate := translation(from, to, corridor())
	for i, want := range []string{"000", "001", "011", "011"} {
		if got, ok := translate(from.States[i].Code); !ok || got.String() != want {
			t.Errorf("node %d became %s, want %s", i, got, want)
		}
	}
	if got, ok := translate(strips.NewState(2, 1)); ok {
		t.Errorf("an unknown state became %s", got)
	}
}
