package exploration_test

import (
	"context"
	"fmt"

	"stripswm/bags"
	"stripswm/models/inference"
	"stripswm/models/pixels"
	"stripswm/models/policy"
	"stripswm/models/strips"
	"stripswm/nodes/exploration"
)

// door is a robot at a door that skill 1 opens and skill 2 shuts. An image is one grey level.
type door struct{ open bool }

func (d *door) Try(_ context.Context, a strips.ActionID) (exploration.ImageAttempt, error) {
	attempt := exploration.ImageAttempt{Action: a, Outcome: bags.Refused, Before: d.image()}
	if d.open == (a == 2) {
		d.open, attempt.Outcome = !d.open, bags.Succeeded
	}
	attempt.After = d.image()
	return attempt, nil
}

func (d *door) Reset(context.Context, string) error { d.open = false; return nil }

func (d *door) image() pixels.RGB {
	level := uint8(50)
	if d.open {
		level = 200
	}
	return pixels.RGB{Width: 1, Height: 1, Pix: []uint8{level, level, level}}
}

// The robot makes ten attempts. Learn would train a recognizer of the recording.
func ExampleExplorer() {
	frame := pixels.Frame{Side: 1, Fit: pixels.Letterbox}
	session, err := exploration.New([]string{"open", "shut"}, frame, policy.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	e := exploration.Explorer{
		Session: session, Robot: &door{}, Wait: true, Budget: 10, TargetCoverage: 0.95,
		Learn: func(context.Context, int) (*exploration.Recognizer, error) {
			return exploration.OpenRecognizer("runs/table/bundle", inference.Options{})
		},
	}
	status, err := e.Run(context.Background())
	fmt.Println(status.Attempts, "attempts, budget spent:", status.Reason == exploration.Spent, err)
	// Output: 10 attempts, budget spent: true <nil>
}
