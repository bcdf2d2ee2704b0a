package sim

import (
	"fmt"
	"sync"

	"stripswm/models/strips"
)

// stateDependent is a world with fewer skills: each does what the one of its fixed actions that applies does, and
// is refused where none does. No two of them apply in the same state.
type stateDependent struct {
	World // with the fixed actions
	names []string
	fixed [][]strips.ActionID // by state-dependent action, from 0
}

func init() {
	worlds["blocksworldcoarse"] = func() World { return newBlocksDependent() }
	worlds["dinnertablecoarse"] = func() World { return newDinnerDependent() }
	worlds["dinnertablerealcoarse"] = func() World { return newDinnerRealDependent() }
}

var (
	// newBlocksCoarse: 1 + r picks from region r and 4 + r places on it, however high the stack.
	newBlocksDependent = sync.OnceValue(func() *stateDependent {
		return makeDependent(newBlocks(), picksAndPlaces(regionCount), func(a strips.ActionID) int { return int(a-1) / blockCount })
	})
	// The dinner tables: 1 + p picks at place p and 8 + p places there, whatever the object.
	newDinnerDependent     = sync.OnceValue(func() *stateDependent { return makeDinnerDependent(newDinner()) })
	newDinnerRealDependent = sync.OnceValue(func() *stateDependent { return makeDinnerDependent(newDinnerReal()) })
)

func makeDinnerDependent(w *dinner) *stateDependent {
	return makeDependent(w, picksAndPlaces(int(held)), func(a strips.ActionID) int {
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

// makeDependent makes skills of these names; which says, from 0, the one that a fixed action belongs to.
func makeDependent(w World, names []string, which func(strips.ActionID) int) *stateDependent {
	c := &stateDependent{World: w, names: names, fixed: make([][]strips.ActionID, len(names))}
	for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
		k := which(a)
		c.fixed[k] = append(c.fixed[k], a)
	}
	return c
}

func (c *stateDependent) Name() string    { return c.World.Name() + "coarse" }
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
	for _, fixed := range c.fixed[a-1] {
		if next, ok := c.World.Apply(s, fixed); ok {
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
