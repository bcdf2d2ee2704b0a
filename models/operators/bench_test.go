package operators_test

import (
	"context"
	"fmt"
	"testing"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph/fixtures"
)

// BenchmarkLearn learns the graphs whose regions can all be listed, to a full
// proof.
func BenchmarkLearn(b *testing.B) {
	for _, name := range []string{"blocksworld", "hanoi_3x3", "gripper_4"} {
		g := sample(b, name)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := operators.Learn(context.Background(), g, operators.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkWork reports how few operators the sliding puzzle of two rows and three regions
// (360 states, 840 edges, 4 actions) takes with ever more work, in millions of steps:
//
//	go test ./models/operators -run - -bench Work -benchtime 1x
func BenchmarkWork(b *testing.B) {
	g := fixtures.Tiles(2, 3).Graph()
	for _, work := range []int{1, 10, operators.DefaultWork} {
		b.Run(fmt.Sprint(work), func(b *testing.B) {
			for b.Loop() {
				r, err := operators.Learn(context.Background(), g, operators.Options{Work: work})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Report.Operators), "operators")
				b.ReportMetric(float64(len(g.Edges))/float64(r.Report.Operators), "edges/operator")
			}
		})
	}
}

// BenchmarkRelearn relearns a graph of which the last edges are new.
func BenchmarkRelearn(b *testing.B) {
	for _, name := range []string{"blocksworld", "dinner101_s2"} {
		g := sample(b, name)
		old, err := operators.Learn(b.Context(), without(g, 3, 0), operators.Options{Work: 1})
		if err != nil {
			b.Fatal(err)
		}
		was := make([]strips.StateID, g.NumStates())
		for s := range was {
			was[s] = strips.StateID(s)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := operators.Relearn(b.Context(), g, operators.Options{}, old.Model,
					was); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
