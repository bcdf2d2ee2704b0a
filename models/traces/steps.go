package traces

// steps counts how much work may still be done, so that the same attempts give the same result on
// any machine. A step takes some nanoseconds: a gap, an event or a word of a set that is looked at.
type steps struct {
	left  int
	ended func() error // Options.Ended
}

// asked is the number of steps, some milliseconds, between questions whether learning shall end.
const asked = 1 << 20

// spend takes n steps and says whether there were as many, and learning goes on.
func (s *steps) spend(n int) bool {
	before := s.left
	s.left -= n
	if s.ended != nil && before/asked != s.left/asked && s.ended() != nil {
		s.left = -1
	}
	return s.left >= 0
}
