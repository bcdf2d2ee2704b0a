package worlds

import (
	"math/rand/v2"

	"stripswm/models/strips"
	"stripswm/models/traces"
)

// refusedShare is how many attempts are of actions that do not apply, as in the recordings of the
// simulator.
const refusedShare = 0.1

// Noise is how often something goes wrong, each a share of the attempts.
type Noise struct {
	WrongLabels float64 // the recorded action is another one
	Changes     float64 // somebody puts the world into another state, and the trace does not say so
	Failures    float64 // the skill fails: half of the time the world has changed as it should
	ByHand      float64 // somebody executes two skills, and the trace does not say in which order
}

// Record returns n attempts of a policy that draws evenly among the actions that apply, and one
// time in ten among those that do not.
func (w *World) Record(n int, seed uint64, noise Noise) []traces.Attempt {
	rng := rand.New(rand.NewPCG(seed, 0x7ace))
	var states []State
	if noise.Changes > 0 {
		states, _, _ = w.States()
	}
	trace := make([]traces.Attempt, 0, n)
	for at := w.Start; len(trace) < n; {
		if rng.Float64() < noise.Changes {
			at = states[rng.IntN(len(states))]
		}
		if noise.ByHand > 0 && rng.Float64() < noise.ByHand {
			trace = append(trace, w.byHand(&at, rng))
		}
		a, ok := w.draw(at, rng)
		t := traces.Attempt{Action: strips.ActionID(a + 1), Outcome: traces.Refused}
		if ok {
			t.Outcome = traces.Succeeded
			if rng.Float64() < noise.Failures {
				t.Outcome = traces.Failed
			}
			if t.Outcome == traces.Succeeded || rng.IntN(2) == 0 {
				at = w.Operators[a].Apply(at)
			}
		}
		if rng.Float64() < noise.WrongLabels {
			t.Action = strips.ActionID(1 + rng.IntN(len(w.Operators)))
		}
		trace = append(trace, t)
	}
	return trace
}

// byHand executes two skills, and lists the one with the smaller id first.
func (w *World) byHand(at *State, rng *rand.Rand) traces.Attempt {
	for {
		next, by := *at, [2]int{}
		for i := range by {
			for by[i] = rng.IntN(len(w.Operators)); !w.Operators[by[i]].Applies(next); {
				by[i] = rng.IntN(len(w.Operators))
			}
			next = w.Operators[by[i]].Apply(next)
		}
		if by[0] != by[1] {
			*at = next
			return traces.Attempt{Action: strips.ActionID(1 + min(by[0], by[1])),
				Outcome: traces.Succeeded, With: strips.ActionID(1 + max(by[0], by[1]))}
		}
	}
}

// draw returns an operator and whether it applies.
func (w *World) draw(at State, rng *rand.Rand) (int, bool) {
	var lists [2][]int // those that do not apply, and those that do
	for a := range w.Operators {
		if w.Operators[a].Applies(at) {
			lists[1] = append(lists[1], a)
		} else {
			lists[0] = append(lists[0], a)
		}
	}
	apply := 1
	if len(lists[1]) == 0 || len(lists[0]) > 0 && rng.Float64() < refusedShare {
		apply = 0
	}
	return lists[apply][rng.IntN(len(lists[apply]))], apply == 1
}
