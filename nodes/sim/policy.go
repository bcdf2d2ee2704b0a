package sim

import (
	"iter"
	"math/rand/v2"

	"stripswm/models/strips"
)

// Step is one attempt of a policy. A refused one, with OK and Failed false, leaves Next = State.
type Step struct {
	State  State
	Action strips.ActionID
	Next   State
	OK     bool
	Failed bool // OK is false; Next is State, or what the skill should have left
	Reset  bool // somebody changed the scene before it: State is not what the step before left
}

// Shares of a policy's choices.
const (
	attemptShare = 0.1 // attempts that the world refuses, of all
	randomShare  = 0.3 // of a balanced policy's accepted actions, those drawn at random
)

// Policy says how a policy chooses among the actions that apply.
type Policy string

// Balanced mostly takes the action tried least where it is, so that it soon covers every edge and
// then takes all about equally often; Uniform draws each alike and counts nothing. Uninformed does
// not know which apply, and draws among all skills: most of its attempts are refused.
const (
	Balanced   Policy = "balanced"
	Uniform    Policy = "uniform"
	Uninformed Policy = "uninformed"
)

// Policies lists them.
func Policies() []Policy { return []Policy{Balanced, Uniform, Uninformed} }

// RunPolicy yields the steps of a robot that explores the graph from its world's initial state
// until n transitions have been made, or no action applies and nobody resets the scene. Among
// them, one attempt in ten is an action that the world refuses, where it refuses any, and of an
// uninformed policy as many as are drawn; these come on top of the n. The policy never leaves the
// graph, and no action is refused for leaving it.
func (g *Graph) RunPolicy(policy Policy, seed uint64, n int, faults Faults) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		rng, somebody := rand.New(rand.NewPCG(seed, streamPolicy)), newHand(g, seed, faults.Resets)
		failing := rand.New(rand.NewPCG(seed, streamFailures))
		tried := map[Edge]int{}
		at, reset := somebody.move(g.world.Initial())
		for made := 0; made < n; {
			out := g.Out(at)
			for len(out) == 0 { // where no skill applies only a reset helps
				if faults.Resets == 0 || len(g.states) == 1 {
					return
				}
				at, reset = somebody.move(at)
				out = g.Out(at)
			}
			s := Step{State: at, Next: at, Reset: reset}
			if policy.attempts(g, at, len(out), rng) {
				var ok bool
				if s.Action, ok = g.refused(at, rng); !ok {
					continue
				}
			} else {
				e := policy.pick(out, tried, rng)
				tried[e]++
				s.Action, s.Next, s.OK = e.Action, e.To, true
				if failing.Float64() < faults.Failures {
					s.OK, s.Failed = false, true
					if failing.IntN(2) == 0 {
						s.Next = at
					}
				} else {
					made++
				}
			}
			if !yield(s) {
				return
			}
			at, reset = somebody.move(s.Next)
		}
	}
}

// attempts says whether an action that the world refuses is drawn in s, where so many apply.
func (p Policy) attempts(g *Graph, s State, apply int, rng *rand.Rand) bool {
	if p != Uninformed {
		return rng.Float64() < attemptShare
	}
	return apply > 0 && rng.IntN(apply+g.refusals(s)) >= apply
}

func (p Policy) pick(out []Edge, tried map[Edge]int, rng *rand.Rand) Edge {
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	best := out[0]
	if p != Balanced || rng.Float64() < randomShare {
		return best
	}
	for _, e := range out[1:] {
		if tried[e] < tried[best] {
			best = e
		}
	}
	return best
}

// refusals is how many actions the world refuses in s.
func (g *Graph) refusals(s State) int {
	n := 0
	for a := strips.ActionID(1); int(a) <= g.world.NumActions(); a++ {
		if _, ok := g.world.Apply(s, a); !ok {
			n++
		}
	}
	return n
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
