package exploration

import (
	"fmt"

	"stripswm/models/traces"
)

// schedule says when facts are learned again.
type schedule struct {
	from      int // successes that facts were learned from
	next      int // successes to learn at
	surprises int // since facts were learned
}

const (
	unlikely     = 0.05 // an outcome that was less likely is a surprise
	maxSurprises = 6
	minSuccesses = 10 // between two
	growth       = 20 // learn again after a twentieth more successes: the whole cost stays bounded
)

// ready says whether facts have to be learned now. What was learned before does not know what a
// skill changes that succeeded for the first time.
func (s *schedule) ready(successes int, surprise, fresh bool) bool {
	if surprise {
		s.surprises++
	}
	return successes >= s.next || s.surprises >= maxSurprises || fresh && successes > minSuccesses
}

// Learned is the number of successes that facts were last learned from.
func (e *Explorer) Learned() int { return e.schedule.from }

// learn learns facts from all attempts.
func (e *Explorer) learn() error {
	e.schedule = schedule{from: e.successes, next: e.successes + max(minSuccesses, e.successes/growth)}
	r, err := traces.Learn(e.actions, e.segments, traces.Options{})
	if err != nil {
		return fmt.Errorf("exploration: learn from %d successes: %w", e.successes, err)
	}
	e.beliefs = believe(e.actions, e.segments, r, e.rng)
	now := r.Report.Intervals - 1
	if len(e.segments[len(e.segments)-1]) == 0 { // the state is none that was recorded
		now = r.Report.Intervals
	}
	e.values = e.beliefs.in(now)
	e.state = e.values.key()
	e.plan = nil
	return nil
}
