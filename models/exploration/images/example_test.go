package images_test

import (
	"fmt"

	"stripswm/models/exploration"
	"stripswm/models/exploration/images"
	"stripswm/models/traces"
)

// Skill 1 opens a door, and skill 2 shuts it. Without images what is reported happened.
func ExampleExplorer() {
	e, err := exploration.New(2, exploration.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := images.New(e)
	opens, _ := x.Next()
	err = x.Observe(traces.Attempt{Action: opens.Action, Outcome: traces.Succeeded}, 20, nil)
	happened := x.Happened()
	fmt.Println(len(happened.Segments[0]), "attempt", err)
	// Output: 1 attempt <nil>
}
