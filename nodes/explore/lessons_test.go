package explore

import (
	"context"
	"slices"
	"testing"

	"stripswm/models/explore"
	"stripswm/models/taskgraph"
)

// TestEyesThereAreLearnWhatCameSince has all lessons but the first be worse: what to plan with knows all attempts in the end.
func TestEyesThereAreLearnWhatCameSince(t *testing.T) {
	e, robot := explorerOf(t, "blocksworld", explore.Options{})
	var asked, renewed, adopted []int
	e.Learn = func(_ context.Context, n int) (*Eyes, error) {
		if asked = append(asked, n); len(asked) > 1 {
			return NewEyes(&restless{}, &taskgraph.Graph{}), nil
		}
		return eyes(sharp{}), nil
	}
	e.Renew = func(_ context.Context, n int) (*Eyes, error) {
		renewed = append(renewed, n)
		return eyes(sharp{}), nil
	}
	e.Adopted = func(n int) error {
		adopted = append(adopted, n)
		return nil
	}
	status, err := e.Run(t.Context())
	if err != nil || status.Why != Explored {
		t.Fatalf("%+v, %v", status, err)
	}
	if !slices.Equal(asked, adopted) || !slices.Equal(asked[1:], renewed) || len(renewed) == 0 || status.Adopted != len(robot.tried) {
		t.Errorf("lessons of %v attempts, renewed with %v, adopted with %v, %d attempts in the end", asked, renewed, adopted, len(robot.tried))
	}
}

// TestBetterEyesAreNotRenewed: they have just learned of all there is.
func TestBetterEyesAreNotRenewed(t *testing.T) {
	e, _ := explorerOf(t, "blocksworld", explore.Options{})
	lessons := 0
	e.Learn = func(context.Context, int) (*Eyes, error) {
		lessons++
		return eyes(sharp{half: lessons == 1}), nil
	}
	renewed := []int{}
	e.Renew = func(context.Context, int) (*Eyes, error) {
		renewed = append(renewed, lessons)
		return eyes(sharp{}), nil
	}
	if _, err := e.Run(t.Context()); err != nil || slices.Contains(renewed, 1) || slices.Contains(renewed, 2) {
		t.Errorf("renewed after lessons %v, %v", renewed, err)
	}
}
