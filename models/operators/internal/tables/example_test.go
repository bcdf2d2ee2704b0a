package tables_test

import (
	"fmt"

	"stripswm/models/operators/internal/tables"
)

func ExampleDinner() {
	g := tables.Dinner(0)
	fmt.Println(g.NumStates(), "states,", g.NumActions(), "actions,", len(g.Edges), "edges")
	// Output: 6720 states, 70 actions, 25200 edges
}
