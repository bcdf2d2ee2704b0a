package facts

import (
	"math/rand/v2"

	"stripswm/models/strips"
	"stripswm/models/traces"
)

// table is a table with objects and places, each for one object, and a gripper. Action
// 1 + object*places + place picks; as many after it place. A state has the place of each object, or
// -1 in the gripper.
type table struct{ objects, places int }

func (w table) actions() int { return 2 * w.objects * w.places }

// apply changes a state; false: the action is refused.
func (w table) apply(at []int, a strips.ActionID) bool {
	k := int(a) - 1
	puts := k >= w.objects*w.places
	k %= w.objects * w.places
	object, place := k/w.places, k%w.places
	held := -1
	taken := false
	for o, p := range at {
		if p < 0 {
			held = o
		}
		taken = taken || p == place
	}
	switch {
	case puts && held == object && !taken:
		at[object] = place
	case !puts && held < 0 && at[object] == place:
		at[object] = -1
	default:
		return false
	}
	return true
}

func (w table) initial() []int {
	at := make([]int, w.objects)
	for o := range at {
		at[o] = o
	}
	return at
}

// record attempts actions, nine in ten of which apply. states has that of each attempt.
func (w table) record(attempts int, seed uint64) (segment []traces.Attempt, states [][]int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	at := w.initial()
	for range attempts {
		refused := rng.IntN(10) == 0
		for {
			a := strips.ActionID(1 + rng.IntN(w.actions()))
			before := append([]int(nil), at...)
			if ok := w.apply(at, a); ok == refused {
				copy(at, before)
				continue
			}
			outcome := traces.Succeeded
			if refused {
				outcome = traces.Refused
			}
			segment = append(segment, traces.Attempt{Action: a, Outcome: outcome})
			states = append(states, before)
			break
		}
	}
	return segment, states
}

func (w table) learn(attempts int, seed uint64) (*traces.Result, error) {
	segment, _ := w.record(attempts, seed)
	return traces.Learn(w.actions(), [][]traces.Attempt{segment}, traces.Options{})
}
