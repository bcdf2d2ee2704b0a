package sim

import (
	"fmt"
	"slices"
)

// The kinds of skills that a world is recorded with.
const (
	Fixed          = "fixed"           // a skill always does the same: pick the fork at place 4
	StateDependent = "state-dependent" // its effect depends on the state: pick whatever is at place 4
)

// suffix is what the names of worlds with state-dependent skills end in.
const suffix = "coarse"

// Skills returns the kinds of skills. Not every world has both.
func Skills() []string { return []string{Fixed, StateDependent} }

// NewSkilled returns the world of that name with one kind of skills; the name decides if skills is
// empty. It fails if the world has no state-dependent skills.
func NewSkilled(name, skills string) (*World, error) {
	w, err := New(name)
	if err != nil {
		return nil, err
	}
	switch skills {
	case "":
		return w, nil
	case Fixed:
		return Table(w), nil
	case StateDependent:
		name := Table(w).Name()
		if _, ok := makers[name+suffix]; !ok {
			return nil, fmt.Errorf("%s has no state-dependent skills", name)
		}
		return New(name + suffix)
	}
	return nil, fmt.Errorf("no skills %q: choose %s or %s", skills, Fixed, StateDependent)
}

// Tables returns the names of the worlds that differ in what they show, sorted.
func Tables() []string {
	return slices.DeleteFunc(Names(), func(name string) bool {
		w := makers[name]()
		return Table(w) != w
	})
}

// Table returns the world that shows the same: itself, or the world with fixed skills.
func Table(w *World) *World { return w.fixed }
