package puzzles

import (
	"math/rand/v2"

	"stripswm/models/strips"
)

// streamWalk is the stream of random numbers of a walk. Another one gives other walks.
const streamWalk uint64 = 0x70757a7a6c65

// refusedShare is how often a walk tries a skill that does not apply.
const refusedShare = 0.1

// episode is how many attempts a walk makes before somebody resets a world that it may be stuck in.
const episode = 60

// Walk returns what n attempts at random meet: nine in ten uniformly among the skills that apply, one
// in ten among the others. It starts again where no skill applies, and every 60 attempts in a world
// that has a state with no way back to the start. The same seed gives the same attempts, and fewer
// attempts the beginning of the same walk.
func (p Puzzle) Walk(n int, seed uint64) []Attempt {
	rng := rand.New(rand.NewPCG(seed, streamWalk))
	resets := !p.reversible()
	state, since, reset := p.Start, 0, false
	var walk []Attempt
	for len(walk) < n {
		var can, cannot []strips.ActionID
		for a := strips.ActionID(1); int(a) <= len(p.Skills); a++ {
			if _, ok := p.Apply(state, a); ok {
				can = append(can, a)
			} else {
				cannot = append(cannot, a)
			}
		}
		if len(can) == 0 || resets && since == episode {
			state, since, reset = p.Start, 0, true
			continue
		}
		if len(cannot) > 0 && rng.Float64() < refusedShare {
			can = cannot
		}
		a := can[rng.IntN(len(can))]
		next, ok := p.Apply(state, a)
		walk = append(walk, Attempt{Before: state, Action: a, After: next, OK: ok, Reset: reset})
		state, reset = next, false
		since++
	}
	return walk
}

// reversible tells whether a way leads back to the start from everywhere.
func (p Puzzle) reversible() bool {
	into := map[string][]string{}
	states := map[string]bool{p.Start: true}
	for _, t := range p.Exact() {
		into[t.After] = append(into[t.After], t.Before)
		states[t.After] = true
	}
	back := map[string]bool{p.Start: true}
	queue := []string{p.Start}
	for i := 0; i < len(queue); i++ {
		for _, s := range into[queue[i]] {
			if !back[s] {
				back[s] = true
				queue = append(queue, s)
			}
		}
	}
	return len(back) == len(states)
}
