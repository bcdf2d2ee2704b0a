package sim

import (
	"iter"
	"math/rand/v2"

	"stripswm/models/strips"
)

// Step is one attempt of a walk. A refused one, with OK false, leaves Next = State.
type Step struct {
	State  State
	Action strips.ActionID
	Next   State
	OK     bool
}

// Shares of a walk's choices.
const (
	attemptShare = 0.1 // attempts that the world refuses, of all
	randomShare  = 0.3 // accepted actions drawn at random rather than the least tried
)

// Walk walks through the part of the world that Explored(w, seed) is, as Graph.Walk does.
func Walk(w World, seed uint64, n int) (iter.Seq[Step], error) {
	g, err := Explored(w, seed)
	if err != nil {
		return nil, err
	}
	return g.Walk(seed, n), nil
}

// Walk yields the steps of a robot that explores the graph from its world's initial state until n
// transitions have been made. It mostly takes the action it has tried least where it is, so that it
// soon covers every edge and then takes all about equally often. Among them, one attempt in ten is
// an action that the world refuses; these come on top of the n. The walk never leaves the graph.
func (g *Graph) Walk(seed uint64, n int) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		rng := rand.New(rand.NewPCG(seed, 0x3a1c))
		tried := map[Edge]int{}
		at := g.world.Initial()
		for made := 0; made < n; {
			if rng.Float64() < attemptShare {
				if a, ok := g.refused(at, rng); ok && !yield(Step{at, a, at, false}) {
					return
				}
				continue
			}
			out := g.Out(at)
			if len(out) == 0 {
				return
			}
			e := pickEdge(out, tried, rng)
			tried[e]++
			made++
			if !yield(Step{at, e.Action, e.To, true}) {
				return
			}
			at = e.To
		}
	}
}

func pickEdge(out []Edge, tried map[Edge]int, rng *rand.Rand) Edge {
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	best := out[0]
	if rng.Float64() < randomShare {
		return best
	}
	for _, e := range out[1:] {
		if tried[e] < tried[best] {
			best = e
		}
	}
	return best
}

// refused draws an action that the world refuses in s.
func (g *Graph) refused(s State, rng *rand.Rand) (strips.ActionID, bool) {
	const draws = 100
	for range draws {
		a := strips.ActionID(1 + rng.IntN(g.world.NumActions()))
		if _, ok := g.world.Apply(s, a); !ok {
			return a, true
		}
	}
	return 0, false
}
