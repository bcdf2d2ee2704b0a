package exploration

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/bags"
	"stripswm/models/exploration"
	"stripswm/models/exploration/images"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Robot executes skills.
type Robot interface {
	// Try attempts a skill. When it returns, the attempt is recorded. It says whether somebody changed
	// the scene before the attempt.
	Try(ctx context.Context, a strips.ActionID) (o bags.Outcome, reset bool, err error)
	// Reset asks a person to change the scene, says why, and waits until it is done.
	Reset(ctx context.Context, why string) error
}

// Explorer explores with a robot until it reaches its target coverage, or a budget is spent.
type Explorer struct {
	Policy *images.Explorer
	Robot  Robot
	// Ready waits until an attempt may begin. It says whether somebody changed the scene. It may be
	// nil, if nobody can, as in a simulation.
	Ready func(ctx context.Context) (reset bool, err error)
	// Images are those before and after the last attempt of the robot, nil if it has none. They show
	// what happened where the outcome is wrong, and changes that nobody announced. May be nil.
	Images func() *[2]pixels.Thumbnail
	// Decode makes the thumbnail of a recorded image. May be nil, if none is looked at.
	Decode func(bags.Image) (pixels.Thumbnail, error)
	// Usual counts the usual seconds of attempts, not the measured ones: for a simulation.
	Usual          bool
	Names          []string      // of the actions
	Budget         int           // of attempts; 0 is none
	Time           time.Duration // to begin attempts in; 0 is no limit
	TargetCoverage float64       // expected share of pairs with a plan, to stop at
	Successes      int           // to go on to: a classifier of facts needs images of many states

	// Progress is called before and after each attempt; may be nil.
	Progress func(Status)

	stuck int // times that every skill was refused since one succeeded
}

// ErrDead is wrapped by the error of an exploration in which nothing ever succeeds.
var ErrDead = errors.New("no skill does anything")

// scenes is how often in a row every skill may be refused, each time after somebody has changed the
// scene: then it is not the scene.
const scenes = 3

// Interrupt says that the scene may have been changed.
func (x *Explorer) Interrupt() error { return x.Policy.Reset() }

// Retract says that the last attempt failed after all.
func (x *Explorer) Retract() error { return x.Policy.Retract() }

// Status is the progress of an exploration.
type Status struct {
	Attempts  int      `json:"attempts"`
	Succeeded int      `json:"succeeded"`
	Seconds   float64  `json:"seconds"` // robot time
	Resets    int      `json:"resets"`  // that a person was asked for
	Success   float64  `json:"success"` // expected share of pairs of states with a plan
	Unknown   []string `json:"unknown"` // what is not known yet, in words
	Reason    string   `json:"why"`     // why it ended
	// Attempt is what is attempted now and why, in a sentence.
	Attempt string `json:"attempt,omitempty"`
}

// Reasons why an exploration ends.
const (
	Explored = "the target coverage is reached"
	Spent    = "the budget of attempts is spent"
	Late     = "the time limit is reached"
)

// Recall adds all attempts of a recording. It calls aside for a transition that cannot be read, and
// counts the scene as changed there.
func (x *Explorer) Recall(ctx context.Context, past *bags.Reader, s *Status, aside func(error),
) error {
	for t, err := range past.Transitions(ctx) {
		switch {
		case errors.Is(err, bags.ErrTransition) || errors.Is(err, bags.ErrReference):
			aside(err)
			err = x.Interrupt()
		case err != nil:
			err = fmt.Errorf("%w; run `stripswm check` on it", err)
		default:
			err = x.remember(s, t.Outcome, strips.ActionID(t.Action), t.Reset,
				t.After.Stamp.GoTime().Sub(t.Before.Stamp.GoTime()), x.decode(t, aside))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// decode returns the images of a recorded attempt, nil if they cannot be read.
func (x *Explorer) decode(t bags.Transition, aside func(error)) *[2]pixels.Thumbnail {
	if x.Decode == nil {
		return nil
	}
	var shown [2]pixels.Thumbnail
	for i, image := range []bags.Image{t.Before, t.After} {
		var err error
		if shown[i], err = x.Decode(image); err != nil {
			aside(err)
			return nil
		}
	}
	return &shown
}

// remember adds an attempt that is recorded.
func (x *Explorer) remember(s *Status, o bags.Outcome, a strips.ActionID, reset bool,
	took time.Duration, shown *[2]pixels.Thumbnail,
) error {
	if reset {
		if err := x.Interrupt(); err != nil {
			return err
		}
	}
	seconds := took.Seconds()
	if x.Usual {
		seconds = exploration.RefusalSeconds
		if o == bags.Succeeded {
			seconds = exploration.SuccessSeconds
		}
	}
	s.Attempts, s.Attempt = s.Attempts+1, ""
	s.Seconds += seconds
	if o == bags.Succeeded {
		s.Succeeded++
		x.stuck = 0
	}
	return x.Policy.Observe(traces.Attempt{Action: a, Outcome: outcome(o)}, seconds, shown)
}

// Run explores from the status of the attempts that were remembered. When ctx ends, the status so
// far is returned with ctx's error.
func (x *Explorer) Run(ctx context.Context, s Status) (Status, error) {
	begun := time.Now()
	known := -1 // successes that the expectation rests on
	for {
		if n := x.Policy.Learned(); n != known {
			known = n
			e, err := x.Policy.Expect(ctx, x.Names)
			if err != nil {
				return s, err
			}
			s.Success, s.Unknown = e.Success, e.Words(x.name)
		}
		if x.Progress != nil {
			x.Progress(s)
		}
		switch {
		case ctx.Err() != nil:
			return s, ctx.Err()
		case s.Success >= x.TargetCoverage && s.Succeeded >= x.Successes:
			s.Reason = Explored
			return s, nil
		case x.Budget > 0 && s.Attempts >= x.Budget:
			s.Reason = Spent
			return s, nil
		case x.Time > 0 && time.Since(begun) >= x.Time:
			s.Reason = Late
			return s, nil
		}
		if err := x.attempt(ctx, &s); err != nil {
			return s, err
		}
	}
}

func (x *Explorer) name(a strips.ActionID) string {
	if int(a) <= len(x.Names) {
		return x.Names[a-1]
	}
	return fmt.Sprint(a)
}

// attempt makes an attempt, or asks for a reset where every skill was refused.
func (x *Explorer) attempt(ctx context.Context, s *Status) error {
	if x.Ready != nil {
		reset, err := x.Ready(ctx)
		if err == nil && reset {
			err = x.Interrupt()
		}
		if err != nil {
			return err
		}
	}
	c, err := x.Policy.Next()
	if errors.Is(err, exploration.ErrStuck) {
		if x.stuck++; x.stuck > scenes {
			return fmt.Errorf("explore: %w: every one was refused, also in %d scenes that were changed "+
				"since one succeeded; see why the executor refuses them, and which are excluded", ErrDead,
				scenes)
		}
		s.Resets++
		if err := x.Robot.Reset(ctx, err.Error()); err != nil {
			return fmt.Errorf("explore: reset: %w", err)
		}
		return x.Interrupt()
	}
	if err != nil {
		return err
	}
	if s.Attempt = x.Policy.Explain(c, x.Names); x.Progress != nil {
		x.Progress(*s)
	}
	began := time.Now()
	o, reset, err := x.Robot.Try(ctx, c.Action)
	if err == nil {
		took, shown := time.Since(began), (*[2]pixels.Thumbnail)(nil)
		if x.Images != nil {
			shown = x.Images()
		}
		err = x.remember(s, o, c.Action, reset, took, shown)
	}
	if err != nil {
		return fmt.Errorf("explore: attempt %d, action %d: %w", s.Attempts+1, c.Action, err)
	}
	return nil
}

// outcome is that of package traces: what is not known to have succeeded or to be refused failed.
func outcome(o bags.Outcome) traces.Outcome {
	switch o {
	case bags.Succeeded:
		return traces.Succeeded
	case bags.Refused:
		return traces.Refused
	}
	return traces.Failed
}
