package sim

import (
	"fmt"
	"slices"
)

// Skills are the sets of skills that a world is recorded with: fixed ones always do the same thing, such as
// pick the fork at place 4; state-dependent ones do what fits, such as pick whatever is at place 4. Not every world has
// both.
func Skills() []string { return []string{"fixed", "state-dependent"} }

// NewSkilled returns the world of that name with its fixed or state-dependent skills; no skills leave it to the name. It fails
// where the world has no state-dependent ones.
func NewSkilled(name, skills string) (World, error) {
	w, err := New(name)
	if err != nil {
		return nil, err
	}
	switch skills {
	case "":
		return w, nil
	case "fixed", "fine": // fine: the name in recordings made before
		return Table(w), nil
	case "state-dependent", "coarse": // coarse: likewise
		name := Table(w).Name()
		if _, ok := worlds[name+"coarse"]; !ok {
			return nil, fmt.Errorf("%s has no state-dependent skills", name)
		}
		return New(name + "coarse")
	}
	return nil, fmt.Errorf("no skills %q: choose fixed or state-dependent", skills)
}

// Tables returns the names of the worlds that differ in what they show, sorted.
func Tables() []string {
	return slices.DeleteFunc(Names(), func(name string) bool {
		w := worlds[name]()
		return Table(w) != w
	})
}

// Table returns the world that shows the same: itself, or with fixed skills if those of w are state-dependent.
func Table(w World) World {
	if c, ok := w.(*stateDependent); ok {
		return c.World
	}
	return w
}
