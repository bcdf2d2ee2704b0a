package sim

import (
	"fmt"
	"slices"
)

// Skills are the sets of skills that a world is recorded with: fine ones always do the same thing, such as
// pick the fork at place 4; coarse ones do what fits, such as pick whatever is at place 4. Not every world has
// both.
func Skills() []string { return []string{"fine", "coarse"} }

// NewSkilled returns the world of that name with its fine or coarse skills; no skills leave it to the name. It fails
// where the world has no coarse ones.
func NewSkilled(name, skills string) (World, error) {
	w, err := New(name)
	if err != nil {
		return nil, err
	}
	switch skills {
	case "":
		return w, nil
	case "fine":
		return Table(w), nil
	case "coarse":
		name := Table(w).Name()
		if _, ok := worlds[name+"coarse"]; !ok {
			return nil, fmt.Errorf("%s has no coarse skills: its fine ones are few already", name)
		}
		return New(name + "coarse")
	}
	return nil, fmt.Errorf("no skills %q: choose fine or coarse", skills)
}

// Tables returns the names of the worlds that differ in what they show, sorted.
func Tables() []string {
	return slices.DeleteFunc(Names(), func(name string) bool {
		w := worlds[name]()
		return Table(w) != w
	})
}

// Table returns the world that shows the same: itself, or with fine skills if those of w are coarse.
func Table(w World) World {
	switch w := w.(type) {
	case *coarse:
		return w.World
	case whole:
		return whole{Table(w.World)}
	}
	return w
}
