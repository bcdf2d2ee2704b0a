package exploration

import (
	"context"
	"errors"
	"slices"
)

// Accept replaces the recognizer if the new one describes all attempts in fewer bits (Bits of
// policy.Chooser) than the current one, or than static intervals do. Otherwise it closes the new
// one. A recognizer that learned from few attempts merges states or splits them.
func (s *Session) Accept(ctx context.Context, recognizer *Recognizer) (better bool, err error) {
	other, err := s.by(ctx, recognizer)
	if err != nil {
		return false, err
	}
	now, err := s.bits(ctx)
	if err != nil {
		return false, errors.Join(err, recognizer.Close())
	}
	then, err := other.bits(ctx)
	if err != nil {
		return false, errors.Join(err, recognizer.Close())
	}
	if then >= now {
		return false, recognizer.Close()
	}
	return true, s.become(other)
}

// Refit replaces the recognizer by the same one, refit to all that was recorded.
func (s *Session) Refit(ctx context.Context, recognizer *Recognizer) error {
	other, err := s.by(ctx, recognizer)
	if err != nil {
		return err
	}
	return s.become(other)
}

// by is the session with another recognizer, and with a new chooser. It closes a recognizer that
// fails.
func (s *Session) by(ctx context.Context, recognizer *Recognizer) (*Session, error) {
	other := &Session{labels: s.labels, options: s.options, frame: s.frame, recognizer: recognizer,
		tries: s.tries, intervals: slices.Clone(s.intervals), states: noStates()}
	err := other.readAgain()
	if err == nil {
		err = other.replay(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, recognizer.Close())
	}
	return other, nil
}

func (s *Session) become(other *Session) error {
	old := s.recognizer
	if *s = *other; old == nil {
		return nil
	}
	return old.Close()
}

// bits is the length of a message that says how all attempts ended, and in which states they were
// made. States that only attempts merge count as two, since a planner has images alone.
func (s *Session) bits(ctx context.Context) (float64, error) {
	if s.recognizer == nil { // the states of static intervals are unknown
		return s.chooser.Bits(), nil
	}
	seen := &Session{labels: s.labels, options: s.options, recognizer: s.recognizer, tries: s.tries,
		intervals: slices.Clone(s.intervals)}
	seen.call(s.group(s.recognizer.labels(s.history())))
	if err := seen.replay(ctx); err != nil {
		return 0, err
	}
	return seen.chooser.Bits() + seen.states.bits, nil
}

// readAgain reads all images with the current recognizer.
func (s *Session) readAgain() error {
	for i := range s.intervals {
		m := &s.intervals[i]
		m.votes = map[reading]int{}
		for _, small := range m.images {
			if err := s.vote(i, small); err != nil {
				return err
			}
		}
	}
	s.rename()
	return nil
}

// replay gives all attempts to a new chooser.
func (s *Session) replay(ctx context.Context) (err error) {
	if s.chooser, err = s.newChooser(); err != nil {
		return err
	}
	s.stale = false
	for i, t := range s.tries {
		if i > 0 && t.from != s.tries[i-1].to {
			s.chooser.Changed()
		}
		if err := s.tell(ctx, t); err != nil {
			return err
		}
	}
	return nil
}
