package traces_test

import (
	"fmt"
	"math/rand/v2"

	"stripswm/models/strips"
	"stripswm/models/traces"
)

// A robot opens (1) and closes (2) a drawer, and takes what is in it (3) and puts it back (4) while
// the drawer is open. It tries its skills at random. Predicate 0 is that the drawer is closed.
func ExampleLearn() {
	rng := rand.New(rand.NewPCG(1, 1))
	open, taken := false, false
	var trace []traces.Attempt
	for range 200 {
		a := traces.Attempt{Action: strips.ActionID(1 + rng.IntN(4)), Outcome: traces.Refused}
		switch {
		case a.Action <= 2 && open == (a.Action == 2):
			a.Outcome, open = traces.Succeeded, !open
		case a.Action >= 3 && open && taken == (a.Action == 4):
			a.Outcome, taken = traces.Succeeded, !taken
		}
		trace = append(trace, a)
	}
	r, err := traces.Learn(4, [][]traces.Attempt{trace}, traces.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, p := range r.Model.Predicates {
		fmt.Printf("predicate %d: %v add it, %v delete it\n", i, p.Add, p.Del)
	}
	for _, o := range r.Model.Operators {
		fmt.Printf("action %d: %v hold before, %v do not\n", o.Action, o.PrePos, o.PreNeg)
	}
	// Output:
	// predicate 0: [2] add it, [1] delete it
	// predicate 1: [3] add it, [4] delete it
	// action 1: [0] hold before, [] do not
	// action 2: [] hold before, [0] do not
	// action 3: [] hold before, [0 1] do not
	// action 4: [1] hold before, [0] do not
}
