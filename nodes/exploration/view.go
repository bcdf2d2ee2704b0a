package exploration

import (
	"fmt"

	"stripswm/models/pixels"
)

// View compares an image with what the last attempt left.
type View int

// The views. Without a recognizer every image is as left.
const (
	AsLeft  View = iota // the believed state, or anything if that is not a known one
	Moved               // another known state
	Unclear             // no known state after a known one: an arm in the view, or a new state
)

// View compares an image with what the last attempt left. The first image of a static interval is
// kept.
func (s *Session) View(img pixels.RGB) (View, error) {
	last := len(s.intervals) - 1
	if len(s.intervals[last].images) == 0 {
		err := s.see(last, img)
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
		return AsLeft, fmt.Errorf("explore: observe: %w", err)
	}
	now, err := s.recognizer.read(small)
	if err != nil {
		return AsLeft, fmt.Errorf("explore: observe: %w", err)
	}
	left := s.intervals[last].reading()
	switch {
	case now == left || !s.recognizer.known(left):
		return AsLeft, nil
	case s.recognizer.known(now):
		return Moved, nil
	}
	return Unclear, nil
}
