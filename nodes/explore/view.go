package explore

import (
	"fmt"

	"stripswm/models/pixels"
)

// View is what a picture says of the scene, beside what the last attempt left.
type View int

// The views. Before there are eyes, every picture is as it was left.
const (
	AsLeft  View = iota // the state that is believed, or as unknown as that
	Moved               // another state, which is known
	Unclear             // nothing known, where a known state was left: somebody's arm, or a state that is new
)

// View tells what a picture shows. It is not kept.
func (s *Session) View(picture pixels.RGB) (View, error) {
	if s.eyes == nil {
		return AsLeft, nil
	}
	small, err := s.frame.Of(picture)
	if err != nil {
		return AsLeft, fmt.Errorf("explore: look: %w", err)
	}
	code, err := s.eyes.code(small)
	if err != nil {
		return AsLeft, fmt.Errorf("explore: look: %w", err)
	}
	left := s.moments[len(s.moments)-1].code()
	known, unknown := len(s.eyes.locator.Candidates(code)) > 0, len(s.eyes.locator.Candidates(left)) == 0
	switch {
	case code == left || left == "" || !known && unknown:
		return AsLeft, nil
	case known:
		return Moved, nil
	}
	return Unclear, nil
}
