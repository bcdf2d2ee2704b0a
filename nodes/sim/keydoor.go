package sim

import (
	"fmt"
	"sync"

	"stripswm/models/strips"
)

// keydoor is a floor of nine cells in two rooms, with a robot that moves from cell to cell and a
// key that it can pick up, carry and put down. Who stands at the door with the key in hand locks
// and unlocks it, from either side; there nothing can be put down, so that nobody has to choose.
// The actions are, one after the other, the moves by cell, the cells to pick at, those to drop at,
// and to lock and to unlock from the left and from the right.
type keydoor struct{ numbered[rooms] }

// rooms says where things are.
type rooms struct {
	robot, key int8 // cells; the key may also be carried
	locked     bool
}

const carried int8 = -1

func init() {
	worlds["keydoor"] = func() World { return newKeydoor() }
	worlds["keydoorcoarse"] = func() World { return newKeydoorStateDependent() }
}

var (
	// newKeydoor begins with the robot and the key in one room, locked.
	newKeydoor = sync.OnceValue(func() *keydoor {
		return &keydoor{number(rooms{robot: 3, key: 1, locked: true}, len(keydoorSkills), rooms.do)}
	})
	// newKeydoorStateDependent: 1 to 4 move, 5 does with the key what can be done with it here.
	newKeydoorStateDependent = sync.OnceValue(func() *stateDependent {
		return makeStateDependent(newKeydoor(), keydoorNames, func(a strips.ActionID) int {
			if k := keydoorSkills[a-1]; k.verb == "move" {
				return k.direction()
			}
			return len(keydoorDirections)
		})
	})
)

func (r rooms) do(a strips.ActionID) (rooms, bool) {
	k := keydoorSkills[a-1]
	if r.robot != k.from {
		return r, false
	}
	ok := false
	switch k.verb {
	case "move":
		ok = !r.locked || !k.throughDoor()
		r.robot = k.to
	case "pick":
		ok = r.key == k.from
		r.key = carried
	case "drop":
		ok = r.key == carried
		r.key = k.from
	case "lock", "unlock":
		ok = r.key == carried && r.locked == (k.verb == "unlock")
		r.locked = k.verb == "lock"
	}
	return r, ok
}

func (w *keydoor) Name() string     { return "keydoor" }
func (w *keydoor) Dataset() Dataset { return Dataset{States: 113, Actions: 36, Transitions: 4500} }

func (w *keydoor) ActionName(a strips.ActionID) string {
	if a < 1 || int(a) > w.NumActions() {
		return fmt.Sprintf("unknown_%d", a)
	}
	return keydoorSkills[a-1].String()
}

func (w *keydoor) Describe(s State) string {
	if s < 0 || int(s) >= len(w.states) {
		return fmt.Sprintf("no state %d", s)
	}
	r := w.states[s]
	key, door := "with the robot", "unlocked"
	if r.key != carried {
		key = fmt.Sprintf("in cell %d", r.key)
	}
	if r.locked {
		door = "locked"
	}
	return fmt.Sprintf("robot in cell %d, key %s, door %s", r.robot, key, door)
}
