package exploration

import (
	"context"
	"errors"
	"testing"

	"stripswm/bags"
	"stripswm/models/pixels"
	"stripswm/models/policy"
	"stripswm/models/strips"
)

// robot is a robot on a table, for which somebody resets the scene.
type robot struct {
	*table
	tried  []strips.ActionID
	resets int
}

func (a *robot) Try(_ context.Context, id strips.ActionID) (ImageAttempt, error) {
	a.tried = append(a.tried, id)
	return a.try(id), nil
}

func (a *robot) Reset(context.Context, string) error {
	a.resets++
	a.state = a.Initial()
	return nil
}

// explorerOf explores a world with a recognizer that learns nothing and sees all.
func explorerOf(t *testing.T, name string, o policy.Options) (Explorer, *robot) {
	t.Helper()
	w := tableOf(t, name)
	robot := &robot{table: w}
	return Explorer{
		Session: session(t, w, o), Robot: robot, Wait: true, TargetCoverage: 0.95,
		Learn: func(context.Context, int) (*Recognizer, error) { return recognizer(sharp{}), nil },
	}, robot
}

func TestExploresUntilNothingIsExpected(t *testing.T) {
	e, robot := explorerOf(t, "blocksworld", policy.Options{})
	e.Progress = func(s Status) { t.Logf("%+v", s) }
	status, err := e.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if status.Reason != Explored || status.Unseen.States != 16 || status.Learned != status.Attempts ||
		len(robot.tried) != status.Attempts {
		t.Errorf("%+v", status)
	}
}

func TestBudget(t *testing.T) {
	e, robot := explorerOf(t, "blocksworld", policy.Options{})
	e.Budget = 37
	status, err := e.Run(t.Context())
	if err != nil || status.Reason != Spent || len(robot.tried) != 37 {
		t.Errorf("%+v, %v, %d attempts", status, err, len(robot.tried))
	}
	e.Budget = 50 // the session goes on where it was
	if status, err = e.Run(t.Context()); err != nil || status.Attempts != 50 ||
		len(robot.tried) != 50 {
		t.Errorf("%+v, %v, %d attempts", status, err, len(robot.tried))
	}
}

func TestSameChoicesEveryTime(t *testing.T) {
	run := func() []strips.ActionID {
		e, robot := explorerOf(t, "blocksworld", policy.Options{Seed: 3})
		if _, err := e.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return robot.tried
	}
	a, b := run(), run()
	if len(a) != len(b) {
		t.Fatalf("%d attempts, then %d", len(a), len(b))
	}
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("attempt %d was of %d, then of %d", i, a[i], b[i])
		}
	}
}

// trap is a table on which every second action puts everything out of reach: none applies any more.
type trap struct{ robot }

func (a *trap) Try(_ context.Context, id strips.ActionID) (ImageAttempt, error) {
	a.tried = append(a.tried, id)
	attempt := ImageAttempt{Action: id, Before: a.image(), Outcome: bags.Refused}
	if a.state != 99 && id%2 == 0 {
		a.state, attempt.Outcome = 99, bags.Succeeded
	}
	attempt.After = a.image()
	return attempt, nil
}

func TestAsksForAReset(t *testing.T) {
	e, robot := explorerOf(t, "blocksworld", policy.Options{})
	robot.state = robot.Initial()
	stuck := &trap{*robot}
	e.Robot, e.Budget = stuck, 100
	status, err := e.Run(t.Context())
	if err != nil || stuck.resets < 2 || status.Resets != stuck.resets {
		t.Errorf("%+v, %v, %d resets", status, err, stuck.resets)
	}
}

// TestObservesAgain has an arm of somebody before the camera for three images, and then something
// moved for good.
func TestObservesAgain(t *testing.T) {
	observed, shown := 0, []uint8{200, 200, 200}
	e, robot := explorerOf(t, "blocksworld", policy.Options{})
	e.Budget = 120
	e.Observe = func(context.Context) (pixels.RGB, error) {
		if observed++; observed > 90 && observed <= 90+len(shown) {
			return pixels.RGB{Width: 1, Height: 1, Pix: []uint8{shown[observed-91], 0, 0}}, nil
		}
		return robot.image(), nil
	}
	status, err := e.Run(t.Context())
	if err != nil || status.Resets != 0 || observed != 120 {
		t.Errorf("%+v, %v, %d images for %d attempts", status, err, observed, len(robot.tried))
	}
}

// TestTrainingRoundsMayFail has the first two come to nothing, and then all.
func TestTrainingRoundsMayFail(t *testing.T) {
	nothing := errors.New("all images look alike")
	e, _ := explorerOf(t, "blocksworld", policy.Options{})
	rounds := 0
	e.Learn = func(context.Context, int) (*Recognizer, error) {
		if rounds++; rounds <= 2 {
			return nil, nothing
		}
		return recognizer(sharp{}), nil
	}
	if status, err := e.Run(t.Context()); err != nil || status.Reason != Explored || rounds < 3 {
		t.Errorf("%+v, %v, %d training rounds", status, err, rounds)
	}
	e, _ = explorerOf(t, "blocksworld", policy.Options{})
	e.Learn = func(context.Context, int) (*Recognizer, error) { return nil, nothing }
	if _, err := e.Run(t.Context()); !errors.Is(err, nothing) {
		t.Errorf("%v", err)
	}
}

func TestErrorsOfTheRobotEndIt(t *testing.T) {
	broken := errors.New("the arm is off")
	e, _ := explorerOf(t, "blocksworld", policy.Options{})
	e.Robot = off{broken}
	if _, err := e.Run(t.Context()); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

type off struct{ err error }

func (o off) Try(context.Context, strips.ActionID) (ImageAttempt, error) {
	return ImageAttempt{}, o.err
}
func (o off) Reset(context.Context, string) error { return o.err }
