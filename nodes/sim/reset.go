package sim

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
)

// Faults are what goes wrong at random, each attempt drawn for itself.
type Faults struct {
	// Resets is the share of attempts, 0 to 1, before each of which somebody puts the scene into
	// another of the explored states, each alike.
	Resets float64
	// Failures is the share, 0 to 1 but not 1, of the attempts that apply which fail. Half of these
	// change the scene as the skill should, the others do not.
	Failures float64
}

// RunPolicy follows a policy in the part of the world that Explored(w, seed) is, as Graph.RunPolicy
// does.
func RunPolicy(w *World, policy Policy, seed uint64, n int, f Faults) (iter.Seq[Step], error) {
	if !slices.Contains(Policies(), policy) {
		return nil, fmt.Errorf("no policy %q: there are %v", policy, Policies())
	}
	if !(f.Resets >= 0 && f.Resets <= 1) {
		return nil, fmt.Errorf("share of attempts before which the scene is reset %g: choose 0 to 1",
			f.Resets)
	}
	if !(f.Failures >= 0 && f.Failures < 1) {
		return nil, fmt.Errorf("share of attempts that fail %g: choose 0 to 1, less than 1", f.Failures)
	}
	g, err := Explored(w, seed)
	if err != nil {
		return nil, err
	}
	return g.RunPolicy(policy, seed, n, f), nil
}

// A hand puts the scene into other states, now and then.
type hand struct {
	graph *Graph
	share float64
	rng   *rand.Rand
}

// newHand draws from a stream of its own: what the robot draws is the same whatever the share.
func newHand(g *Graph, seed uint64, share float64) *hand {
	return &hand{g, share, rand.New(rand.NewPCG(seed, streamResets))}
}

// move is where the next attempt finds a scene that was left in state s, and whether that is
// another one. It draws the same numbers whatever the share, so that what is reset at a small share
// is reset at a larger one.
func (h *hand) move(s State) (State, bool) {
	others := len(h.graph.states) - 1
	moves, k := h.rng.Float64() < h.share, h.rng.IntN(max(others, 1))
	if !moves || others == 0 {
		return s, false
	}
	if k >= h.graph.index[s] {
		k++
	}
	return h.graph.states[k], true
}
