package regions_test

import (
	"context"
	"fmt"

	"stripswm/models/operators/internal/regions"
	"stripswm/models/operators/internal/work"
	"stripswm/models/taskgraph"
)

// A door that can be opened when it is shut and shut when it is open: one
// predicate rules out both missing pairs.
func Example() {
	b := taskgraph.NewBuilder([]string{"open", "close"})
	_ = b.Observe("shut", 1, "ajar")
	_ = b.Observe("ajar", 2, "shut")
	ctx := context.Background()
	missing := []regions.Pair{{State: 1, Action: 1}, {State: 0, Action: 2}}
	d := regions.New(b.Graph(), missing, nil, false).Decide(ctx)
	s, err := d.Learn(ctx, work.New(ctx, 1_000_000), regions.Demands{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("lost:", len(d.Lost()), "predicates:", s.Model.Predicates, "proved:",
		s.Proved.Predicates)
	// Output: lost: 0 predicates: 1 proved: true
}
