package operators_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/worlds/fixtures"
)

// part is the first nodes of a graph and the edges among them.
func part(g *taskgraph.Graph, states int) *taskgraph.Graph {
	h := *g
	h.Nodes = g.Nodes[:states]
	h.Edges = slices.DeleteFunc(slices.Clone(g.Edges), func(e taskgraph.Edge) bool {
		return max(e.Source, e.Target) >= strips.StateID(states)
	})
	return &h
}

// coarse names skills by the first word of their labels and one other.
func coarse(g *taskgraph.Graph, keep int) *taskgraph.Graph {
	return g.Relabel(func(label string) string {
		word := strings.Split(label, "_")
		return word[0] + "_" + word[keep]
	})
}

// BenchmarkLearn learns every sample graph, parts of DinnerTable up to the whole, which shows the
// cost as a graph grows (table), and graphs whose few skills do several things each (skills).
func BenchmarkLearn(b *testing.B) {
	files, err := filepath.Glob("testdata/*.dfa")
	if err != nil || len(files) == 0 {
		b.Fatalf("no sample graphs: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".dfa")
		measure(b, "sample/"+name, sample(b, name))
	}
	table := fixtures.Table(5, 7).Graph()
	for _, states := range []int{100, 300, 1000, 3000, table.NumStates()} {
		measure(b, fmt.Sprint("table/", states), part(table, states))
	}
	for _, p := range append(fixtures.All(), fixtures.Hanoi(4), fixtures.LightsOut(3, 3),
		fixtures.Tiles(2, 3)) {
		measure(b, "skills/"+p.Name, p.Graph())
	}
	measure(b, "skills/blocksworld", coarse(sample(b, "blocksworld"), 1))
	measure(b, "skills/dinnertable", coarse(sample(b, "dinner101_s2"), 2))
}

// measure reports what is learned from a graph, and checks it.
func measure(b *testing.B, name string, g *taskgraph.Graph) {
	b.Run(name, func(b *testing.B) {
		var r *operators.Result
		for b.Loop() {
			var err error
			if r, err = operators.Learn(b.Context(), g,
				operators.Options{Work: operators.DefaultWork}); err != nil {
				b.Fatal(err)
			}
		}
		_, faults := check.Model(g, check.AllMissing(g), r.Model)
		if faults = append(faults, check.Distinct(r.Model, nil)...); len(faults) > 0 {
			b.Error(faults[0])
		}
		toggles, proved := 0, 0
		for _, op := range r.Model.Operators {
			toggles += len(op.Toggle)
		}
		if r.Report.Proved.Eta {
			proved = 1
		}
		s := r.Report
		for unit, n := range map[string]int{"states": s.States, "constraints": s.SeparationConstraints,
			"skills": s.Actions, "operators": s.Operators, "eta": s.Eta, "eta-proved": proved,
			"m": s.Predicates, "m-bound": s.Bounds.Predicates, "effects": s.Effects, "toggles": toggles,
			"pre": s.Preconditions, "codes": s.DistinctCodes} {
			b.ReportMetric(float64(n), unit)
		}
		b.ReportMetric(1000*s.EtaSeconds, "ms-to-eta")
	})
}
