package exploration

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/models/pixels"
	"stripswm/models/policy"
	"stripswm/models/strips"
)

// Robot carries out skills.
type Robot interface {
	// Try attempts a skill and takes an image. When it returns, the attempt is recorded.
	Try(ctx context.Context, a strips.ActionID) (Attempt, error)
	// Reset has somebody put the scene into another state, says why, and waits until that is done.
	Reset(ctx context.Context, why string) error
}

// Explorer explores until nothing worth the while is expected, or a budget is spent.
type Explorer struct {
	Session *Session
	Robot   Robot
	// Observe is what the camera shows while nothing moves; nil where nobody can interfere, as in a simulation.
	Observe func(ctx context.Context) (pixels.RGB, error)
	// Moved has whoever records know that the scene was found changed; may be nil.
	Moved func(ctx context.Context) error
	// Learn learns from all that is recorded when it is called. It is called beside the robot's work, one at a time.
	Learn func(ctx context.Context, attempts int) (*Recognizer, error)
	// Refit learns all but the encoder of the current recognizer from all that is recorded when it is called, as Learn is; may be nil.
	Refit func(ctx context.Context, attempts int) (*Recognizer, error)
	// Accepted is told when what was learned from so many attempts is what to plan with from now on; may be nil.
	Accepted func(attempts int) error
	// Wait has the robot wait for what is being learned, where an attempt costs less than that: in a simulation, whose
	// choices are then the same every time.
	Wait bool

	Budget         int           // of attempts; 0 is none
	Time           time.Duration // to begin attempts in; 0 is no limit
	TargetCoverage float64       // the share of pairs of states with a path that is expected, to stop at
	Rate           time.Duration // least time between the begin of two attempts

	// Progress is told after each attempt, and when something was learned.
	Progress func(Status)
}

// Status is how far an exploration has come.
type Status struct {
	Attempts int           `json:"attempts"`
	Choice   policy.Choice `json:"choice"`   // the last
	Learned  int           `json:"learned"`  // attempts that were learned from last; 0 before the first
	Accepted int           `json:"accepted"` // of the best training round so far
	Learning bool          `json:"learning"`
	Trouble  string        `json:"trouble,omitempty"` // why the last training round came to nothing
	Resets   int           `json:"resets"`            // asked for
	policy.Unseen
	Success float64 `json:"success"` // expected
	Reason  string  `json:"why"`     // it ended
}

// Reason an exploration ended.
const (
	Explored = "nothing worth the while is expected"
	Spent    = "the budget of attempts is spent"
	Late     = "the time is over"
)

// run is one Run of an Explorer.
type run struct {
	Explorer
	status   Status
	failures int // of training rounds, in a row
	next     int // skills that succeeded, to learn from next
	learned  chan round
}

// Run explores. When ctx ends, what was attempted is recorded, and the status is returned with ctx's error.
func (e Explorer) Run(ctx context.Context) (Status, error) {
	ctx, cancel := context.WithCancel(ctx)
	r := &run{Explorer: e, learned: make(chan round, 1), next: first}
	err := r.explore(ctx)
	cancel()
	if r.status.Learning {
		<-r.learned
	}
	return r.status, err
}

func (r *run) explore(ctx context.Context) error {
	begun := time.Now()
	r.status.Attempts = r.Session.Attempts()
	for {
		why := r.over(begun)
		learned, err := r.learnNext(ctx, why != "")
		switch {
		case err != nil:
			return err
		case learned: // which may show more to try
			continue
		case why != "":
			r.status.Reason = why
			return nil
		}
		last := time.Now()
		if err := r.attempt(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(r.Rate - time.Since(last)):
		}
	}
}

// over says why no attempt is to be made any more; nothing where one is.
func (r *run) over(begun time.Time) string {
	switch {
	case r.Session.Sees() && r.status.Success >= r.TargetCoverage:
		return Explored
	case r.Budget > 0 && r.status.Attempts >= r.Budget:
		return Spent
	case r.Time > 0 && time.Since(begun) >= r.Time:
		return Late
	}
	return ""
}

// attempt makes one.
func (r *run) attempt(ctx context.Context) error {
	if r.Observe != nil {
		if err := r.observe(ctx); err != nil {
			return err
		}
	}
	choice, err := r.Session.Next(ctx)
	if errors.Is(err, policy.ErrStuck) {
		return r.reset(ctx, err.Error())
	}
	if err != nil {
		return err
	}
	attempt, err := r.Robot.Try(ctx, choice.Action)
	if err != nil {
		return fmt.Errorf("explore: attempt %d, action %d: %w", r.status.Attempts+1, choice.Action, err)
	}
	if err := r.Session.Observe(ctx, attempt); err != nil {
		return err
	}
	r.status.Attempts, r.status.Choice = r.Session.Attempts(), choice
	return r.tell(ctx)
}

func (r *run) tell(ctx context.Context) (err error) {
	if r.status.Unseen, err = r.Session.Unseen(ctx); err != nil {
		return err
	}
	if r.status.Success = r.status.Unseen.Success(); !r.Session.Sees() {
		r.status.Success = 0 // static intervals are not states
	}
	if r.Progress != nil {
		r.Progress(r.status)
	}
	return nil
}
