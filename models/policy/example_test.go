package policy_test

import (
	"context"
	"fmt"

	"stripswm/models/policy"
)

// A door: skill 1 opens it and skill 2 shuts it. Each applies in one of the two states.
func ExampleChooser() {
	ctx := context.Background()
	c, err := policy.New([]string{"open", "shut"}, policy.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	at := "shut"
	for range 4 {
		choice, err := c.Next(ctx, at)
		if err != nil {
			fmt.Println(err)
			return
		}
		attempt := policy.CodeAttempt{At: at, Action: choice.Action, Refused: true}
		if at == "shut" == (choice.Action == 1) {
			attempt.Refused, attempt.To = false, map[string]string{"shut": "ajar", "ajar": "shut"}[at]
			at = attempt.To
		}
		if err := c.Observe(ctx, attempt); err != nil {
			fmt.Println(err)
			return
		}
	}
	unseen, err := c.Unseen(ctx)
	fmt.Println(unseen.States, "states,", unseen.Edges, "edges", err)
	// Output: 2 states, 2 edges <nil>
}
