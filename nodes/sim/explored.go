package sim

import (
	"fmt"
	"math/rand/v2"

	"stripswm/models/strips"
)

// Explored returns the graph that the domain's recording explains: as many states as
// w.Dataset().States, connected, the initial one among them, on whose edges exactly
// w.Dataset().Actions actions occur. The seed chooses which; where the data set is the whole world
// it makes no difference. State-dependent skills explore the same states as fixed ones.
func Explored(w *World, seed uint64) (*Graph, error) {
	if table := Table(w); table != w {
		g, err := Explored(table, seed)
		if err != nil {
			return nil, err
		}
		return induced(w, g.states), nil
	}
	want := w.Dataset()
	if want.States >= w.NumStates() {
		return GroundTruth(w), nil
	}
	const attempts = 200
	for k := range uint64(attempts) {
		g := induced(w, grow(w, want.States, rand.New(rand.NewPCG(seed, k))))
		if len(g.Actions()) == want.Actions {
			return g, nil
		}
	}
	return nil,
		fmt.Errorf("%s, seed %d: no connected subset of %d states with %d actions in %d attempts",
			w.Name(), seed, want.States, want.Actions, attempts)
}

// grow collects n connected states from the initial one on. It leaves the states it has along
// random transitions, and half the time along one whose action it has not used yet: a person who
// records data tries every object everywhere.
func grow(w *World, n int, rng *rand.Rand) []State {
	in := map[State]bool{w.Initial(): true}
	used := map[strips.ActionID]bool{}
	states := []State{w.Initial()}
	frontier := transitions(w, w.Initial())
	for len(states) < n && len(frontier) > 0 {
		k := rng.IntN(len(frontier))
		if rng.Float64() < 0.5 {
			k = unusedAction(frontier, used, k)
		}
		e := frontier[k]
		frontier[k] = frontier[len(frontier)-1]
		frontier = frontier[:len(frontier)-1]
		if in[e.To] {
			continue
		}
		in[e.To] = true
		used[e.Action] = true
		states = append(states, e.To)
		for _, on := range transitions(w, e.To) {
			if in[on.To] {
				used[on.Action] = true
			} else {
				frontier = append(frontier, on)
			}
		}
	}
	return states
}

// unusedAction returns the first edge, from k on and round, whose action is not used; else k.
func unusedAction(frontier []Edge, used map[strips.ActionID]bool, k int) int {
	for i := range frontier {
		if j := (k + i) % len(frontier); !used[frontier[j].Action] {
			return j
		}
	}
	return k
}
