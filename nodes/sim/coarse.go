package sim

import (
	"fmt"
	"sync"

	"stripswm/models/strips"
)

// coarse is a world with fewer skills: each does what the one of its fine actions that applies does, and
// is refused where none does. No two of them apply in the same state.
type coarse struct {
	World // with the fine actions
	names []string
	fine  [][]strips.ActionID // by coarse action, from 0
}

func init() {
	worlds["blocksworldcoarse"] = func() World { return newBlocksCoarse() }
	worlds["dinnertablecoarse"] = func() World { return newDinnerCoarse() }
	worlds["dinnertablerealcoarse"] = func() World { return newDinnerRealCoarse() }
}

var (
	// newBlocksCoarse: 1 + r picks from region r and 4 + r places on it, however high the stack.
	newBlocksCoarse = sync.OnceValue(func() *coarse {
		return makeCoarse(newBlocks(), picksAndPlaces(regionCount), func(a strips.ActionID) int { return int(a-1) / blockCount })
	})
	// The dinner tables: 1 + p picks at place p and 8 + p places there, whatever the object.
	newDinnerCoarse     = sync.OnceValue(func() *coarse { return makeDinnerCoarse(newDinner()) })
	newDinnerRealCoarse = sync.OnceValue(func() *coarse { return makeDinnerCoarse(newDinnerReal()) })
)

func makeDinnerCoarse(w *dinner) *coarse {
	return makeCoarse(w, picksAndPlaces(int(held)), func(a strips.ActionID) int {
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

// makeCoarse makes skills of these names; which says, from 0, the one that a fine action belongs to.
func makeCoarse(w World, names []string, which func(strips.ActionID) int) *coarse {
	c := &coarse{World: w, names: names, fine: make([][]strips.ActionID, len(names))}
	for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
		k := which(a)
		c.fine[k] = append(c.fine[k], a)
	}
	return c
}

func (c *coarse) Name() string    { return c.World.Name() + "coarse" }
func (c *coarse) NumActions() int { return len(c.names) }

func (c *coarse) Dataset() Dataset {
	d := c.World.Dataset()
	d.Actions = len(c.names)
	return d
}

func (c *coarse) Apply(s State, a strips.ActionID) (State, bool) {
	if a < 1 || int(a) > len(c.fine) {
		return s, false
	}
	for _, fine := range c.fine[a-1] {
		if next, ok := c.World.Apply(s, fine); ok {
			return next, true
		}
	}
	return s, false
}

func (c *coarse) ActionName(a strips.ActionID) string {
	if a < 1 || int(a) > len(c.names) {
		return fmt.Sprintf("unknown_%d", a)
	}
	return c.names[a-1]
}
