package ros

// Settings declares parameters that are read once, and collects the first error.
type Settings struct {
	Node *Node
	Err  error // after it nothing is declared any more
}

// Setting declares a read-only parameter and returns its value. bounds are none, or its least and
// greatest value.
func Setting[T ParamType](s *Settings, name string, value T, text string, bounds ...float64) T {
	if s.Err != nil {
		return value
	}
	about := Describe[T]{Text: text, ReadOnly: true}
	if len(bounds) == 2 {
		about.Min, about.Max = bounds[0], bounds[1]
	}
	p, err := Declare(s.Node, name, value, about)
	if err != nil {
		s.Err = err
		return value
	}
	return p.Get()
}
