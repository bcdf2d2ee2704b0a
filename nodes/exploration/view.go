package exploration

import (
	"fmt"

	"stripswm/models/pixels"
)

// View is what an image says of the scene, beside what the last attempt left.
type View int

// The views. Before there is a recognizer, every image is as it was left.
const (
	AsLeft  View = iota // the state that is believed, or whatever where that is none that is known
	Moved               // another state, which is known
	Unclear             // nothing known, where a known state was left: somebody's arm, or a state that is new
)

// View tells what an image shows. It is kept where the scene was just changed, and nothing is known of it.
func (s *Session) View(img pixels.RGB) (View, error) {
	now := len(s.intervals) - 1
	if len(s.intervals[now].images) == 0 {
		err := s.see(now, img)
		if err == nil {
			s.rename()
		}
		return AsLeft, err
	}
	if s.recognizer == nil {
		return AsLeft, nil
	}
	small, err := s.frame.Of(img)
	if err != nil {
		return AsLeft, fmt.Errorf("explore: look: %w", err)
	}
	code, err := s.recognizer.code(small)
	if err != nil {
		return AsLeft, fmt.Errorf("explore: look: %w", err)
	}
	left := s.intervals[now].code()
	switch known := s.recognizer.locator.Candidates; {
	case code == left || len(known(left)) == 0:
		return AsLeft, nil
	case len(known(code)) > 0:
		return Moved, nil
	}
	return Unclear, nil
}
