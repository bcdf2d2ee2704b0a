package sim

import (
	"fmt"
	"sync"

	"stripswm/models/strips"
)

// stateDependent is a world with fewer skills. Each does what the one of its fixed actions that
// applies does, and is refused if none applies. No two of them apply in one state.
type stateDependent struct {
	World // with the fixed actions
	names []string
	fixed [][]strips.ActionID // by action, from 0
}

func init() {
	worlds["blocksworldcoarse"] = func() World { return newBlocksStateDependent() }
	worlds["dinnertablecoarse"] = func() World { return newDinnerStateDependent() }
	worlds["dinnertablerealcoarse"] = func() World { return newDinnerRealStateDependent() }
}

var (
	// newBlocksStateDependent: 1 + r picks from region r and 4 + r places on it, however high the
	// stack.
	newBlocksStateDependent = sync.OnceValue(func() *stateDependent {
		return makeStateDependent(newBlocks(), picksAndPlaces(regionCount), func(a strips.ActionID) int {
			return int(a-1) / blockCount
		})
	})
	// The dinner tables: 1 + p picks at place p and 8 + p places there, whatever the object.
	newDinnerStateDependent = sync.OnceValue(func() *stateDependent {
		return makeDinnerStateDependent(newDinner())
	})
	newDinnerRealStateDependent = sync.OnceValue(func() *stateDependent {
		return makeDinnerStateDependent(newDinnerReal())
	})
)

func makeDinnerStateDependent(w *dinner) *stateDependent {
	return makeStateDependent(w, picksAndPlaces(int(held)), func(a strips.ActionID) int {
		p, place, _ := w.action(a)
		if place {
			p.place += held
		}
		return int(p.place)
	})
}

// picksAndPlaces names one skill to pick and one to place at each of that many places.
func picksAndPlaces(places int) (names []string) {
	for _, verb := range []string{"pick", "place"} {
		for at := range places {
			names = append(names, fmt.Sprintf("%s_%d", verb, at))
		}
	}
	return names
}

// makeStateDependent makes skills of these names; which says, from 0, the one that a fixed action
// belongs to.
func makeStateDependent(w World, names []string, which func(strips.ActionID) int) *stateDependent {
	c := &stateDependent{World: w, names: names, fixed: make([][]strips.ActionID, len(names))}
	for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
		k := which(a)
		c.fixed[k] = append(c.fixed[k], a)
	}
	return c
}

func (c *stateDependent) Name() string    { return c.World.Name() + suffix }
func (c *stateDependent) NumActions() int { return len(c.names) }

func (c *stateDependent) Dataset() Dataset {
	d := c.World.Dataset()
	d.Actions = len(c.names)
	return d
}

func (c *stateDependent) Apply(s State, a strips.ActionID) (State, bool) {
	if a < 1 || int(a) > len(c.fixed) {
		return s, false
	}
	for _, fine := range c.fixed[a-1] {
		if next, ok := c.World.Apply(s, fine); ok {
			return next, true
		}
	}
	return s, false
}

func (c *stateDependent) ActionName(a strips.ActionID) string {
	if a < 1 || int(a) > len(c.names) {
		return fmt.Sprintf("unknown_%d", a)
	}
	return c.names[a-1]
}
