package explore

import (
	"context"
	"fmt"

	"stripswm/bags"
	"stripswm/models/dataset"
	"stripswm/models/explore"
	"stripswm/models/identity"
	"stripswm/models/pixels"
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
	labels  []string
	options explore.Options
	frame   pixels.Frame
	chooser *explore.Chooser
	eyes    *Eyes
	moments []moment
	tries   []try
	states  *states // of the moments, by the eyes there are
	stale   bool    // the chooser was told of moments by names that are others now
}

// moment is the time between two changes of the scene.
type moment struct {
	pictures []pixels.RGB          // as encoders see them
	votes    map[identity.Code]int // of its pictures, by the eyes there are
	reset    bool                  // somebody began it
	name     string
	told     bool // by that name
}

// code is that of most of a moment's pictures.
func (m moment) code() (best identity.Code) {
	for c, n := range m.votes {
		if most := m.votes[best]; n > most || n == most && c < best {
			best = c
		}
	}
	return best
}

// try is an attempt between moments.
type try struct {
	action   strips.ActionID
	outcome  bags.Outcome
	from, to int
}

// New begins with nothing tried. The frame is how pictures will be shown to encoders.
func New(labels []string, frame pixels.Frame, o explore.Options) (*Session, error) {
	s := &Session{labels: labels, options: o, frame: frame, states: noStates()}
	var err error
	if s.chooser, err = s.anew(); err != nil {
		return nil, err
	}
	s.open(false)
	return s, nil
}

// anew makes a chooser. Before there are eyes no region can be told.
func (s *Session) anew() (*explore.Chooser, error) {
	o := s.options
	if s.eyes == nil {
		o.Within, o.Moments = 0, true
	}
	return explore.New(s.labels, o)
}

// open begins a moment.
func (s *Session) open(reset bool) {
	s.moments = append(s.moments, moment{votes: map[identity.Code]int{}, reset: reset, name: own(len(s.moments))})
}

// own is a moment's name for itself.
func own(i int) string { return fmt.Sprint("moment ", i) }

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

// Sees says whether there are eyes.
func (s *Session) Sees() bool { return s.eyes != nil }

// Next chooses what to try in the moment that is.
func (s *Session) Next(ctx context.Context) (explore.Choice, error) {
	if s.stale {
		if err := s.replay(ctx); err != nil {
			return explore.Choice{}, err
		}
	}
	return s.chooser.Next(ctx, s.moments[len(s.moments)-1].name)
}

// Observe adds an attempt. One that failed tells nothing but that the scene may be another.
func (s *Session) Observe(ctx context.Context, a Attempt) error {
	if a.Reset {
		s.Reset()
	}
	t := try{action: a.Action, outcome: a.Outcome, from: len(s.moments) - 1}
	if err := s.see(t.from, a.Before); err != nil {
		return err
	}
	if a.Outcome != bags.Refused {
		s.open(a.Outcome == bags.Failed)
	}
	t.to = len(s.moments) - 1
	if err := s.see(t.to, a.After); err != nil {
		return err
	}
	s.tries = append(s.tries, t)
	if s.rename(); s.stale {
		return s.replay(ctx)
	}
	return s.tell(ctx, t)
}

// rename names all moments, which what is known of them may have changed.
func (s *Session) rename() {
	if s.eyes == nil {
		return
	}
	states := s.group(s.eyes.name(s.history()))
	states.join(s.tries)
	s.call(states)
}

// call names all moments by the states that they are of.
func (s *Session) call(states *states) {
	s.states = states
	for i, now := range states.of {
		m := &s.moments[i]
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
		s.moments[t.to].reset = true
	}
	t.outcome, s.stale = bags.Failed, true
	s.rename()
}

// see adds a picture to a moment.
func (s *Session) see(i int, picture pixels.RGB) error {
	small, err := s.frame.Of(picture)
	if err != nil {
		return fmt.Errorf("explore: moment %d: %w", i, err)
	}
	m := &s.moments[i]
	m.pictures = append(m.pictures, small)
	if s.eyes == nil {
		return nil
	}
	return s.vote(i, small)
}

// vote counts what a picture of a moment shows.
func (s *Session) vote(i int, small pixels.RGB) error {
	code, err := s.eyes.code(small)
	if err != nil {
		return fmt.Errorf("explore: moment %d: %w", i, err)
	}
	s.moments[i].votes[code]++
	return nil
}

func (s *Session) tell(ctx context.Context, t try) error {
	s.moments[t.from].told, s.moments[t.to].told = true, true
	if t.outcome == bags.Failed {
		s.chooser.Changed()
		return nil
	}
	return s.chooser.Observe(ctx, explore.Attempt{At: s.moments[t.from].name, Action: t.action, Refused: t.outcome == bags.Refused, To: s.moments[t.to].name})
}

// history is what succeeded, with a moment for each image.
func (s *Session) history() (*dataset.Dataset, []identity.Code) {
	d, codes := &dataset.Dataset{}, make([]identity.Code, len(s.moments))
	for i, m := range s.moments {
		codes[i] = m.code()
	}
	for _, t := range s.tries {
		if t.outcome == bags.Succeeded {
			d.Transitions = append(d.Transitions, dataset.Transition{Before: t.from, After: t.to, Action: t.action, Follows: len(d.Transitions) > 0 && !s.moments[t.from].reset})
		}
	}
	return d, codes
}

// Unseen is what exploring on is expected to show. Where eyes do not tell which state it is, that surprises, too.
func (s *Session) Unseen(ctx context.Context) (explore.Unseen, error) {
	u, err := s.chooser.Unseen(ctx)
	if s.eyes != nil {
		u.Surprise = 1 - (1-u.Surprise)*(1-s.states.lookalikes())
	}
	return u, err
}
