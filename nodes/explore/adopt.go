package explore

import (
	"context"
	"errors"
	"slices"

	"stripswm/models/identity"
)

// Adopt names all moments by other eyes, and tells a new chooser of all attempts, if these can be told shorter as they
// see them (explore.Chooser.Bits) than as the eyes there are do, or by moments; else it closes them. Eyes learned from little take
// states for one, or one for several.
func (s *Session) Adopt(ctx context.Context, eyes *Eyes) (better bool, err error) {
	other, err := s.by(ctx, eyes)
	if err != nil {
		return false, err
	}
	now, err := s.bits(ctx)
	if err != nil {
		return false, errors.Join(err, eyes.Close())
	}
	then, err := other.bits(ctx)
	if err != nil {
		return false, errors.Join(err, eyes.Close())
	}
	if then >= now {
		return false, eyes.Close()
	}
	return true, s.become(other)
}

// Renew names all moments by the eyes there are, after these have learned what was recorded since.
func (s *Session) Renew(ctx context.Context, eyes *Eyes) error {
	other, err := s.by(ctx, eyes)
	if err != nil {
		return err
	}
	return s.become(other)
}

// by is the session with all moments named by other eyes, and a chooser that was told of all attempts. Eyes that cannot do that are
// closed.
func (s *Session) by(ctx context.Context, eyes *Eyes) (*Session, error) {
	other := &Session{labels: s.labels, options: s.options, frame: s.frame, eyes: eyes, tries: s.tries, moments: slices.Clone(s.moments), states: noStates()}
	err := other.name()
	if err == nil {
		err = other.replay(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, eyes.Close())
	}
	return other, nil
}

func (s *Session) become(other *Session) error {
	old := s.eyes
	if *s = *other; old == nil {
		return nil
	}
	return old.Close()
}

// bits is how long a message is that tells how all attempts came out, and which states they were made in. What only
// ways join is apart here: to a plan, which goes by pictures, these are two states.
func (s *Session) bits(ctx context.Context) (float64, error) {
	if s.eyes == nil { // nobody says which states moments are of
		return s.chooser.Bits(), nil
	}
	seen := &Session{labels: s.labels, options: s.options, eyes: s.eyes, tries: s.tries, moments: slices.Clone(s.moments)}
	seen.call(s.group(s.eyes.name(s.history())))
	if err := seen.replay(ctx); err != nil {
		return 0, err
	}
	return seen.chooser.Bits() + seen.states.bits, nil
}

// name names all moments by the eyes there are.
func (s *Session) name() error {
	for i := range s.moments {
		m := &s.moments[i]
		m.votes = map[identity.Code]int{}
		for _, small := range m.pictures {
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
	if s.chooser, err = s.anew(); err != nil {
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
