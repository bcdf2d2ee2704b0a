package operators_test

import (
	"context"
	"testing"

	"stripswm/models/operators"
	"stripswm/models/strips"
)

// BenchmarkLearn learns the graphs whose columns can all be listed, to a full
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
				if _, err := operators.Relearn(b.Context(), g, operators.Options{}, old.Model, was); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
