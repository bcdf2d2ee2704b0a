package exploration_test

import (
	"context"
	"fmt"

	"stripswm/bags"
	policy "stripswm/models/exploration"
	"stripswm/models/exploration/images"
	"stripswm/models/strips"
	"stripswm/nodes/exploration"
)

// door is a robot at a door that skill 1 opens and skill 2 shuts.
type door struct{ open bool }

func (d *door) Try(_ context.Context, a strips.ActionID) (bags.Outcome, bool, error) {
	if d.open != (a == 2) {
		return bags.Refused, false, nil
	}
	d.open = !d.open
	return bags.Succeeded, false, nil
}

func (d *door) Reset(context.Context, string) error { d.open = false; return nil }

// The robot makes ten attempts.
func ExampleExplorer() {
	p, err := policy.New(2, policy.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := exploration.Explorer{Policy: images.New(p), Robot: &door{}, Budget: 10,
		TargetCoverage: 1, Successes: 10}
	status, err := x.Run(context.Background(), exploration.Status{})
	fmt.Println(status.Attempts, "attempts, budget spent:", status.Reason == exploration.Spent, err)
	// Output: 10 attempts, budget spent: true <nil>
}
