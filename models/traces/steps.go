package traces

// steps counts how much work may still be done, so that the same attempts give the same result on
// any machine. A step takes some nanoseconds: a gap, an event or a word of a set that is looked at.
type steps struct{ left int }

// spend takes n steps and says whether there were as many.
func (s *steps) spend(n int) bool {
	s.left -= n
	return s.left >= 0
}
