package exploration

import (
	"context"
	"fmt"

	"stripswm/bags"
	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/pixels"
	"stripswm/models/policy"
	"stripswm/models/strips"
)

// Attempt is a skill that was tried, and what the camera showed before and after.
type Attempt struct {
	Action        strips.ActionID
	Outcome       bags.Outcome
	Before, After pixels.RGB
	Reset         bool // somebody changed the scene before it
}

// Session is what a robot tried so far. It is not safe for concurrent use.
type Session struct {
	labels     []string
	options    policy.Options
	frame      pixels.Frame
	chooser    *policy.Chooser
	recognizer *Recognizer
	intervals  []interval
	tries      []try
	states     *states // of the static intervals, by the current recognizer
	stale      bool    // the chooser was told of static intervals by names that are others now
}

// interval is the time between two changes of the scene.
type interval struct {
	images []pixels.RGB          // as encoders see them
	votes  map[identity.Code]int // of its images, by the current recognizer
	reset  bool                  // somebody began it
	name   string
	told   bool // by that name
}

// code is that of most of a static interval's images.
func (m interval) code() (best identity.Code) {
	for c, n := range m.votes {
		if most := m.votes[best]; n > most || n == most && c < best {
			best = c
		}
	}
	return best
}

// try is an attempt between static intervals.
type try struct {
	action   strips.ActionID
	outcome  bags.Outcome
	from, to int
}

// New begins with nothing tried. The frame is how images will be shown to encoders.
func New(labels []string, frame pixels.Frame, o policy.Options) (*Session, error) {
	s := &Session{labels: labels, options: o, frame: frame, states: noStates()}
	var err error
	if s.chooser, err = s.restart(); err != nil {
		return nil, err
	}
	s.open(false)
	return s, nil
}

// restart makes a chooser. Before there is a recognizer, no region is known.
func (s *Session) restart() (*policy.Chooser, error) {
	o := s.options
	if s.recognizer == nil {
		o.Within, o.Intervals = 0, true
	}
	return policy.New(s.labels, o)
}

// open begins a static interval.
func (s *Session) open(reset bool) {
	s.intervals = append(s.intervals, interval{votes: map[identity.Code]int{}, reset: reset, name: own(len(s.intervals))})
}

// own is a static interval's name for itself.
func own(i int) string { return fmt.Sprint("static interval ", i) }

// Attempts is how many were observed, of any outcome.
func (s *Session) Attempts() int { return len(s.tries) }

// Successes is how many of them succeeded.
func (s *Session) Successes() (n int) {
	for _, t := range s.tries {
		if t.outcome == bags.Succeeded {
			n++
		}
	}
	return n
}

// Sees says whether there are recognizer.
func (s *Session) Sees() bool { return s.recognizer != nil }

// Next chooses what to try in the static interval that is.
func (s *Session) Next(ctx context.Context) (policy.Choice, error) {
	if s.stale {
		if err := s.replay(ctx); err != nil {
			return policy.Choice{}, err
		}
	}
	return s.chooser.Next(ctx, s.intervals[len(s.intervals)-1].name)
}

// Observe adds an attempt. One that failed tells nothing but that the scene may be another.
func (s *Session) Observe(ctx context.Context, a Attempt) error {
	if a.Reset {
		s.Reset()
	}
	t := try{action: a.Action, outcome: a.Outcome, from: len(s.intervals) - 1}
	if err := s.see(t.from, a.Before); err != nil {
		return err
	}
	if a.Outcome != bags.Refused {
		s.open(a.Outcome == bags.Failed)
	}
	t.to = len(s.intervals) - 1
	if err := s.see(t.to, a.After); err != nil {
		return err
	}
	s.tries = append(s.tries, t)
	if s.rename(); s.stale {
		return s.replay(ctx)
	}
	return s.tell(ctx, t)
}

// rename names all static intervals, which what is known of them may have changed.
func (s *Session) rename() {
	if s.recognizer == nil {
		return
	}
	states := s.group(s.recognizer.name(s.history()))
	states.merge(s.tries)
	s.call(states)
}

// call names all static intervals by the states that they are of.
func (s *Session) call(states *states) {
	s.states = states
	for i, now := range states.of {
		m := &s.intervals[i]
		s.stale = s.stale || m.told && m.name != now.name
		m.name = now.name
	}
}

// Reset says that somebody changes the scene before the next attempt.
func (s *Session) Reset() {
	s.open(true)
	s.chooser.Changed()
}

// Fail says that an attempt, from 0, failed after all: it is evidence of nothing, and the scene after it may be another.
func (s *Session) Fail(attempt int) {
	t := &s.tries[attempt]
	if t.outcome == bags.Succeeded {
		s.intervals[t.to].reset = true
	}
	t.outcome, s.stale = bags.Failed, true
	s.rename()
}

// see adds an image to a static interval.
func (s *Session) see(i int, img pixels.RGB) error {
	small, err := s.frame.Of(img)
	if err != nil {
		return fmt.Errorf("explore: static interval %d: %w", i, err)
	}
	m := &s.intervals[i]
	m.images = append(m.images, small)
	if s.recognizer == nil {
		return nil
	}
	return s.vote(i, small)
}

// vote counts what an image of a static interval shows.
func (s *Session) vote(i int, small pixels.RGB) error {
	code, err := s.recognizer.code(small)
	if err != nil {
		return fmt.Errorf("explore: static interval %d: %w", i, err)
	}
	s.intervals[i].votes[code]++
	return nil
}

func (s *Session) tell(ctx context.Context, t try) error {
	s.intervals[t.from].told, s.intervals[t.to].told = true, true
	if t.outcome == bags.Failed {
		s.chooser.Changed()
		return nil
	}
	return s.chooser.Observe(ctx, policy.Attempt{At: s.intervals[t.from].name, Action: t.action, Refused: t.outcome == bags.Refused, To: s.intervals[t.to].name})
}

// history is what succeeded, with a static interval for each image.
func (s *Session) history() (*dataset.Dataset, []identity.Code) {
	d, codes := &dataset.Dataset{}, make([]identity.Code, len(s.intervals))
	for i, m := range s.intervals {
		codes[i] = m.code()
	}
	for _, t := range s.tries {
		if t.outcome == bags.Succeeded {
			d.Transitions = append(d.Transitions, dataset.Transition{Before: t.from, After: t.to, Action: t.action, Follows: len(d.Transitions) > 0 && !s.intervals[t.from].reset})
		}
	}
	return d, codes
}

// Unseen is what exploring on is expected to show. Where the recognizer does not say which state it is, that counts as a surprise too.
func (s *Session) Unseen(ctx context.Context) (policy.Unseen, error) {
	u, err := s.chooser.Unseen(ctx)
	if s.recognizer != nil {
		u.Surprise = 1 - (1-u.Surprise)*(1-s.states.aliasedShare())
	}
	return u, err
}
