package operators_test

import (
	"context"
	"testing"

	"stripswm/models/operators"
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
