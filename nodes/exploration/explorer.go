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

// Robot executes skills.
type Robot interface {
	// Try attempts a skill. When it returns, the attempt is recorded.
	Try(ctx context.Context, a strips.ActionID) (ImageAttempt, error)
	// Reset asks a person to change the scene, says why, and waits until it is done.
	Reset(ctx context.Context, why string) error
}

// Explorer explores until it reaches its target coverage, or a budget is spent.
type Explorer struct {
	Session *Session
	Robot   Robot
	// Observe takes an image while nothing moves; nil if nobody can interfere, as in a simulation.
	Observe func(ctx context.Context) (pixels.RGB, error)
	// Moved tells the recorder that the scene was found changed; may be nil.
	Moved func(ctx context.Context) error
	// Learn learns from the recording so far. It runs beside the robot's work, one call at a time.
	Learn func(ctx context.Context, attempts int) (*Recognizer, error)
	// Refit learns like Learn, with the encoder of the current recognizer; may be nil.
	Refit func(ctx context.Context, attempts int) (*Recognizer, error)
	// Accepted is called when the model of so many attempts was accepted; may be nil.
	Accepted func(attempts int) error
	// Wait lets the robot wait while a model is being learned, so that a simulation is reproducible.
	Wait bool

	Budget         int           // of attempts; 0 is none
	Time           time.Duration // to begin attempts in; 0 is no limit
	TargetCoverage float64       // expected share of pairs of states with a plan, to stop at
	Rate           time.Duration // minimum time between the starts of two attempts

	// Progress is called after each attempt and each training round.
	Progress func(Status)
}

// Status is the progress of an exploration.
type Status struct {
	Attempts int           `json:"attempts"`
	Choice   policy.Choice `json:"choice"`   // the last
	Learned  int           `json:"learned"`  // attempts in the last training round; 0 before the first
	Accepted int           `json:"accepted"` // of the best training round so far
	Learning bool          `json:"learning"`
	Trouble  string        `json:"trouble,omitempty"` // why the last training round failed
	Resets   int           `json:"resets"`            // that a person was asked for
	policy.Unseen
	Success float64 `json:"success"` // expected
	Reason  string  `json:"why"`     // it ended
}

// Reason an exploration ended.
const (
	Explored = "the target coverage is reached"
	Spent    = "the budget of attempts is spent"
	Late     = "the time limit is reached"
)

// run is one Run of an Explorer.
type run struct {
	Explorer
	status   Status
	failures int // of training rounds, in a row
	next     int // successes, to learn again at
	learned  chan round
}

// Run explores. When ctx ends, what was attempted is recorded, and the status is returned with
// ctx's error.
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
		learned, err := r.train(ctx, why != "")
		switch {
		case err != nil:
			return err
		case learned: // it may show more to try
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

// over says why the exploration ends; empty if it goes on.
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

// attempt makes an attempt.
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
