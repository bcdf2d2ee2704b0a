package operators_test

import (
	"fmt"
	"testing"
	"time"

	"stripswm/models/operators"
	"stripswm/models/operators/internal/tables"
)

// The full DinnerTable has 445,200 atoms.
func TestFullDinnerTable(t *testing.T) {
	r := learn(t, tables.Dinner(0), operators.Options{Budget: 400 * time.Millisecond}).Report
	if r.Eta != 0 || r.Atoms != 445200 || r.DistinctCodes != 6720 || !r.Proved.Eta {
		t.Errorf("%+v", r)
	}
}

func BenchmarkProvedEta(b *testing.B) {
	for _, states := range []int{100, 300, 1000, 3000, 6720} {
		g := tables.Dinner(states)
		b.Run(fmt.Sprint(states), func(b *testing.B) {
			for b.Loop() {
				p, err := operators.NewProblem(g, operators.Trust{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(p.Missing())), "atoms")
				if _, err := operators.LeastEta(b.Context(), g, operators.Trust{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
