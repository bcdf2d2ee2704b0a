package exploration

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/bags"
	"stripswm/models/exploration"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Informed explores by facts that it learns from the order of attempts (package
// models/exploration). It uses no images, and so needs no training rounds.
type Informed struct {
	Explorer *exploration.Explorer
	Robot    Robot
	// Usual counts the usual seconds of attempts, not the measured ones: for a simulation.
	Usual          bool
	Names          []string      // of the actions
	Budget         int           // of attempts; 0 is none
	Time           time.Duration // to begin attempts in; 0 is no limit
	TargetCoverage float64       // expected share of pairs with a plan, to stop at
	Successes      int           // to go on to: a classifier of facts needs images of many states

	// Progress is called after each attempt; may be nil.
	Progress func(InformedStatus)
}

// InformedStatus is the progress of an [Informed] exploration.
type InformedStatus struct {
	Attempts  int      `json:"attempts"`
	Succeeded int      `json:"succeeded"`
	Seconds   float64  `json:"seconds"` // robot time
	Resets    int      `json:"resets"`  // that a person was asked for
	Success   float64  `json:"success"` // expected share of pairs of states with a plan
	Unknown   []string `json:"unknown"` // what is not known yet, in words
	Reason    string   `json:"why"`     // it ended
}

// Common is the part of the status that other explorations have, too.
func (s InformedStatus) Common() Status {
	return Status{Attempts: s.Attempts, Resets: s.Resets, Success: s.Success, Reason: s.Reason}
}

// Recall adds all attempts of a recording.
func (x *Informed) Recall(ctx context.Context, past *bags.Reader, s *InformedStatus) error {
	for t, err := range past.Transitions(ctx) {
		if err == nil {
			err = x.Remember(s, t.Outcome, strips.ActionID(t.Action), t.Reset, t.After.Stamp.GoTime().
				Sub(t.Before.Stamp.GoTime()))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Remember adds an attempt that is recorded.
func (x *Informed) Remember(s *InformedStatus, o bags.Outcome, a strips.ActionID, reset bool,
	took time.Duration,
) error {
	if reset {
		if err := x.Explorer.Interrupt(); err != nil {
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
	s.Attempts++
	s.Seconds += seconds
	if o == bags.Succeeded {
		s.Succeeded++
	}
	return x.Explorer.Observe(a, outcome(o), seconds)
}

// Run explores from the status of the attempts that were remembered. When ctx ends, the status so
// far is returned with ctx's error.
func (x *Informed) Run(ctx context.Context, s InformedStatus) (InformedStatus, error) {
	begun := time.Now()
	known := -1 // successes that the expectation rests on
	for {
		if n := x.Explorer.Learned(); n != known {
			known = n
			e, err := x.Explorer.Expect(ctx, x.Names)
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

func (x *Informed) name(a strips.ActionID) string {
	if int(a) <= len(x.Names) {
		return x.Names[a-1]
	}
	return fmt.Sprint(a)
}

// attempt makes an attempt, or asks for a reset where every skill was refused.
func (x *Informed) attempt(ctx context.Context, s *InformedStatus) error {
	c, err := x.Explorer.Next()
	if errors.Is(err, exploration.ErrStuck) {
		s.Resets++
		if err := x.Robot.Reset(ctx, err.Error()); err != nil {
			return err
		}
		return x.Explorer.Interrupt()
	}
	if err != nil {
		return err
	}
	began := time.Now()
	a, err := x.Robot.Try(ctx, c.Action)
	if err == nil {
		err = x.Remember(s, a.Outcome, a.Action, a.Reset, time.Since(began))
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
