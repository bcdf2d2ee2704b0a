package policy

import (
	"math/rand/v2"
	"testing"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// BenchmarkAttempts says how many attempts it takes until as many states as a world's data set has
// are known, with a path between all of them, where every state is recognized when it is seen: with
// a Chooser, and drawing evenly among all skills.
func BenchmarkAttempts(b *testing.B) {
	chooser := func(e *explorer, _ *rand.Rand) { e.attempt(b) }
	uniform := func(e *explorer, rng *rand.Rand) {
		e.try(b, strips.ActionID(1+rng.IntN(len(e.world[0]))))
	}
	for _, c := range []struct {
		name, world string
		attempt     func(*explorer, *rand.Rand)
	}{
		{"blocksworld/chooser", "blocksworld", chooser},
		{"blocksworld/uniform", "blocksworld", uniform},
		{"blocksworldcoarse/chooser", "blocksworldcoarse", chooser},
		{"blocksworldcoarse/uniform", "blocksworldcoarse", uniform},
		{"dinnertablerealcoarse/chooser", "dinnertablerealcoarse", chooser},
	} {
		b.Run(c.name, func(b *testing.B) {
			w, err := sim.New(c.world)
			if err != nil {
				b.Fatal(err)
			}
			states, leads := w.Dataset().States, of(b, c.world)
			attempts := 0
			for i := range b.N {
				e := explore(b, leads, int(w.Initial()), Options{Seed: uint64(i) + 1, Within: states})
				for rng := rand.New(rand.NewPCG(uint64(i)+1, 1)); !e.knows(states); attempts++ {
					c.attempt(e, rng)
				}
			}
			b.ReportMetric(float64(attempts)/float64(b.N), "attempts")
		})
	}
}

// knows says whether so many nodes have paths between all of them.
func (e *explorer) knows(states int) bool {
	if len(e.memory.codes) < states {
		return false
	}
	for _, to := range e.reachability().to[:states] {
		if to.Count() < states {
			return false
		}
	}
	return true
}
