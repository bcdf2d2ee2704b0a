package exploration

import (
	"context"
	"fmt"

	"stripswm/bags"
	"stripswm/models/dataset"
	"stripswm/models/pixels"
	"stripswm/models/policy"
	"stripswm/models/strips"
)

// ImageAttempt is an attempt with the images before and after it.
type ImageAttempt struct {
	Action        strips.ActionID
	Outcome       bags.Outcome
	Before, After pixels.RGB
	Reset         bool // somebody changed the scene before the attempt
}

// Session has the attempts so far. It is not safe for concurrent use.
type Session struct {
	labels     []string
	options    policy.Options
	frame      pixels.Frame
	chooser    *policy.Chooser
	recognizer *Recognizer
	intervals  []interval
	tries      []try
	states     *states // of the static intervals, by the current recognizer
	stale      bool    // the chooser knows static intervals by old names
}

// interval is a static interval: the time between two changes of the scene.
type interval struct {
	images []pixels.RGB    // as encoders see them
	votes  map[reading]int // of its images, by the current recognizer
	reset  bool            // it began with a change that no skill made
	name   string          // of its state
	told   bool            // the chooser knows it by that name
}

// reading is that of most of a static interval's images.
func (m interval) reading() (best reading) {
	for r, n := range m.votes {
		if most := m.votes[best]; n > most || n == most && r.before(best) {
			best = r
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

// New returns a session without attempts. The frame prepares images for encoders.
func New(labels []string, frame pixels.Frame, o policy.Options) (*Session, error) {
	s := &Session{labels: labels, options: o, frame: frame, states: noStates()}
	var err error
	if s.chooser, err = s.newChooser(); err != nil {
		return nil, err
	}
	s.open(false)
	return s, nil
}

// newChooser makes a chooser. Without a recognizer static intervals are not states, so that no
// number of states can be kept to.
func (s *Session) newChooser() (*policy.Chooser, error) {
	o := s.options
	if s.recognizer == nil {
		o.Within, o.Intervals = 0, true
	}
	return policy.New(s.labels, o)
}

// open begins a static interval.
func (s *Session) open(reset bool) {
	s.intervals = append(s.intervals, interval{votes: map[reading]int{}, reset: reset,
		name: own(len(s.intervals))})
}

// own is the name of a static interval that has no other.
func own(i int) string { return fmt.Sprint("static interval ", i) }

// Attempts is the number of attempts, of any outcome.
func (s *Session) Attempts() int { return len(s.tries) }

// Successes is the number of attempts that succeeded.
func (s *Session) Successes() (n int) {
	for _, t := range s.tries {
		if t.outcome == bags.Succeeded {
			n++
		}
	}
	return n
}

// Sees says whether there is a recognizer.
func (s *Session) Sees() bool { return s.recognizer != nil }

// Next chooses the next attempt.
func (s *Session) Next(ctx context.Context) (policy.Choice, error) {
	if s.stale {
		if err := s.replay(ctx); err != nil {
			return policy.Choice{}, err
		}
	}
	return s.chooser.Next(ctx, s.intervals[len(s.intervals)-1].name)
}

// Observe adds an attempt. A failed one says only that the scene may have changed.
func (s *Session) Observe(ctx context.Context, a ImageAttempt) error {
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

// rename names all static intervals again, since an attempt may change what is known of earlier
// ones.
func (s *Session) rename() {
	if s.recognizer == nil {
		return
	}
	states := s.group(s.recognizer.labels(s.history()))
	states.merge(s.tries)
	s.call(states)
}

// call names all static intervals by their states.
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

// Fail says that an attempt, counted from 0, failed after all: it is no evidence, and the scene may
// have changed.
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

// vote counts the reading of an image of a static interval.
func (s *Session) vote(i int, small pixels.RGB) error {
	r, err := s.recognizer.read(small)
	if err != nil {
		return fmt.Errorf("explore: static interval %d: %w", i, err)
	}
	s.intervals[i].votes[r]++
	return nil
}

func (s *Session) tell(ctx context.Context, t try) error {
	s.intervals[t.from].told, s.intervals[t.to].told = true, true
	if t.outcome == bags.Failed {
		s.chooser.Changed()
		return nil
	}
	return s.chooser.Observe(ctx, policy.CodeAttempt{At: s.intervals[t.from].name, Action: t.action,
		Refused: t.outcome == bags.Refused, To: s.intervals[t.to].name})
}

// history is the transitions between static intervals, and the reading of each interval.
func (s *Session) history() (*dataset.Dataset, []reading) {
	d, readings := &dataset.Dataset{}, make([]reading, len(s.intervals))
	for i, m := range s.intervals {
		readings[i] = m.reading()
	}
	for _, t := range s.tries {
		if t.outcome == bags.Succeeded {
			d.Transitions = append(d.Transitions, dataset.Transition{Before: t.from, After: t.to,
				Action: t.action, Follows: len(d.Transitions) > 0 && !s.intervals[t.from].reset})
		}
	}
	return d, readings
}

// Unseen is what further attempts are expected to show. A state that the recognizer
// confuses with another counts as a surprise, too.
func (s *Session) Unseen(ctx context.Context) (policy.Unseen, error) {
	u, err := s.chooser.Unseen(ctx)
	if s.recognizer != nil {
		u.Surprise = 1 - (1-u.Surprise)*(1-s.states.aliased())
	}
	return u, err
}
