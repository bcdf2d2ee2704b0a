package operators_test

import (
	"context"
	"sync/atomic"
	"testing"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/taskgraph"
	"stripswm/models/taskgraph/fixtures"
)

// TestMoreWorkNeverMoreOperators: less work ends the same search earlier, with a
// model that passes the checker. The graphs are such that the most work pays.
func TestMoreWorkNeverMoreOperators(t *testing.T) {
	for name, g := range map[string]*taskgraph.Graph{
		"key and door": fixtures.KeyDoor().Graph(),
		"carrier 3x3":  fixtures.Carrier(3, 3).Graph(),
	} {
		t.Run(name, func(t *testing.T) {
			first, last := 0, 0
			for i, work := range []int{1, 2, 4} {
				r := learn(t, g, operators.Options{Work: work})
				for _, fault := range check.Distinct(r.Model, nil) {
					t.Error(fault)
				}
				if i > 0 && r.Report.Operators > last {
					t.Errorf("%d operators of work %d, %d of half of it", r.Report.Operators, work, last)
				}
				if last = r.Report.Operators; i == 0 {
					first = last
				}
				t.Logf("work %d: %d operators", work, last)
			}
			if last >= first {
				t.Errorf("%d operators of the most work, %d of the least", last, first)
			}
		})
	}
}

// endsAfter is a context that ends when it was asked so many times whether it has.
type endsAfter struct {
	context.Context
	left atomic.Int64
}

func (c *endsAfter) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterruptedSearchKeepsTheBest: whenever the context ends, there is a model without
// a fault, the report says that it was cut short, and what the search had found
// until then is not lost.
func TestInterruptedSearchKeepsTheBest(t *testing.T) {
	g := fixtures.KeyDoor().Graph()
	whole := learn(t, g, operators.Options{Work: 4}).Report.Operators
	fewest := len(g.Edges)
	for _, asked := range []int64{0, 100, 5_000, 20_000} {
		ctx := &endsAfter{Context: t.Context()}
		ctx.left.Store(asked)
		r, err := operators.Learn(ctx, g, operators.Options{Work: 4})
		if err != nil {
			t.Fatalf("after %d: %v", asked, err)
		}
		_, faults := check.Model(g, check.AllMissing(g), r.Model)
		for _, fault := range append(faults, check.Distinct(r.Model, nil)...) {
			t.Errorf("after %d: %v", asked, fault)
		}
		s := r.Report
		if !s.CutShort || s.Operators < whole || s.Operators > len(g.Edges) {
			t.Errorf("after %d: cut short %t, %d operators, %d with all the work", asked, s.CutShort,
				s.Operators, whole)
		}
		t.Logf("after %d: %d operators", asked, s.Operators)
		fewest = min(fewest, s.Operators)
	}
	if 2*fewest > len(g.Edges) {
		t.Errorf("%d operators at best, of %d edges: what was found was lost", fewest, len(g.Edges))
	}
}
