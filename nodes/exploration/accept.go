package exploration

import (
	"context"
	"errors"
	"slices"

	"stripswm/models/identity"
)

// Accept names all static intervals by another recognizer and makes a new chooser of all attempts,
// if that describes the attempts in fewer bits (policy.Chooser.Bits) than the current recognizer
// does, or the static intervals. Otherwise it closes the other recognizer. A recognizer that learned
// from few images confuses states, or sees one state as several.
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

// Refit names all static intervals by the current recognizer, after it has learned what was recorded since.
func (s *Session) Refit(ctx context.Context, recognizer *Recognizer) error {
	other, err := s.by(ctx, recognizer)
	if err != nil {
		return err
	}
	return s.become(other)
}

// by is the session with all static intervals named by another recognizer, and a chooser of all
// attempts. It closes a recognizer that cannot do that.
func (s *Session) by(ctx context.Context, recognizer *Recognizer) (*Session, error) {
	other := &Session{labels: s.labels, options: s.options, frame: s.frame, recognizer: recognizer, tries: s.tries, intervals: slices.Clone(s.intervals), states: noStates()}
	err := other.name()
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

// bits is the length of a message that says the states and outcomes of all attempts. States that
// only transitions merge are distinct here: a planner sees images alone, and so sees two states.
func (s *Session) bits(ctx context.Context) (float64, error) {
	if s.recognizer == nil { // nobody says which states static intervals are of
		return s.chooser.Bits(), nil
	}
	seen := &Session{labels: s.labels, options: s.options, recognizer: s.recognizer, tries: s.tries, intervals: slices.Clone(s.intervals)}
	seen.call(s.group(s.recognizer.name(s.history())))
	if err := seen.replay(ctx); err != nil {
		return 0, err
	}
	return seen.chooser.Bits() + seen.states.bits, nil
}

// name names all static intervals by the current recognizer.
func (s *Session) name() error {
	for i := range s.intervals {
		m := &s.intervals[i]
		m.votes = map[identity.Code]int{}
		for _, small := range m.images {
			if err := s.vote(i, small); err != nil {
				return err
			}
		}
	}
	s.rename()
	return nil
}

// replay tells a new chooser of all attempts.
func (s *Session) replay(ctx context.Context) (err error) {
	if s.chooser, err = s.restart(); err != nil {
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
