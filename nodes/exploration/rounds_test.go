package exploration

import (
	"context"
	"slices"
	"testing"

	"stripswm/models/policy"
	"stripswm/models/taskgraph"
)

// TestGivenRecognizerLearnsWhatCameSince has all training rounds but the first be worse: what to
// plan with knows all attempts in the end.
func TestGivenRecognizerLearnsWhatCameSince(t *testing.T) {
	e, robot := explorerOf(t, "blocksworld", policy.Options{})
	var asked, refitted, accepted []int
	e.Learn = func(_ context.Context, n int) (*Recognizer, error) {
		if asked = append(asked, n); len(asked) > 1 {
			return NewRecognizer(&restless{}, &taskgraph.Graph{}), nil
		}
		return recognizer(sharp{}), nil
	}
	e.Refit = func(_ context.Context, n int) (*Recognizer, error) {
		refitted = append(refitted, n)
		return recognizer(sharp{}), nil
	}
	e.Accepted = func(n int) error {
		accepted = append(accepted, n)
		return nil
	}
	status, err := e.Run(t.Context())
	if err != nil || status.Reason != Explored {
		t.Fatalf("%+v, %v", status, err)
	}
	if !slices.Equal(asked, accepted) || !slices.Equal(asked[1:], refitted) || len(refitted) == 0 ||
		status.Accepted != len(robot.tried) {
		t.Errorf(
			"training rounds of %v attempts, refitted with %v, accepted with %v, %d attempts in the end",
			asked, refitted, accepted, len(robot.tried))
	}
}

// TestBetterRecognizerIsNotRefitted: they have just learned of all there is.
func TestBetterRecognizerIsNotRefitted(t *testing.T) {
	e, _ := explorerOf(t, "blocksworld", policy.Options{})
	rounds := 0
	e.Learn = func(context.Context, int) (*Recognizer, error) {
		rounds++
		return recognizer(sharp{half: rounds == 1}), nil
	}
	refitted := []int{}
	e.Refit = func(context.Context, int) (*Recognizer, error) {
		refitted = append(refitted, rounds)
		return recognizer(sharp{}), nil
	}
	if _, err := e.Run(t.Context()); err != nil || slices.Contains(refitted, 1) ||
		slices.Contains(refitted, 2) {
		t.Errorf("refitted after training rounds %v, %v", refitted, err)
	}
}
