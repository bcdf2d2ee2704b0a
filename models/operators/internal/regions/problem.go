package regions

import (
	"slices"

	"stripswm/models/internal/bitset"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Problem is a task graph and its trusted missing pairs, indexed. Actions count
// from 0 in here. It is never changed but by keepDistinct.
type Problem struct {
	graph       *taskgraph.Graph
	bySupport   bool     // slack is weighted by support
	effects     []effect // that an action may have, inert first
	negatives   int      // missing pairs
	states      int
	words       int // words of a set of states
	actions     []action
	constraints bitset.Set // all trusted missing pairs, bit a*64*words + s, then all of distinct
	distinct    [][2]int   // pairs of states to keep distinct, bit 64*words*len(actions) + i
	free        []int      // actions without an edge that have missing pairs
}

// Pair is a node and an action.
type Pair = taskgraph.Pair

// action is what the learner knows about one action.
type action struct {
	edges   [][2]int32 // source, target
	index   []int      // of each edge in graph.Edges
	paid    []int      // edges in graph.Edges whose effects may be wrong
	sources bitset.Set
	targets bitset.Set
	missing bitset.Set // states where it is trusted to be inapplicable
}

// New indexes a graph, which must be valid, and its trusted missing pairs. Of the
// edges in paid, only the applicability counts: their effects may be wrong, for
// transition slack, which is weighted by support on request.
func New(g *taskgraph.Graph, missing []Pair, paid []taskgraph.Edge, bySupport bool) *Problem {
	p := &Problem{graph: g, bySupport: bySupport, effects: plain, negatives: len(missing),
		states: g.NumStates(), words: (g.NumStates() + 63) / 64}
	p.actions = make([]action, g.NumActions())
	for a := range p.actions {
		p.actions[a] = action{sources: bitset.New(p.states), targets: bitset.New(p.states),
			missing: bitset.New(p.states)}
	}
	for i, e := range g.Edges {
		a := &p.actions[e.Action-1]
		a.sources.Set(int(e.Source))
		if isPaid(e, paid) {
			a.paid = append(a.paid, i)
			continue
		}
		a.index = append(a.index, i)
		a.edges = append(a.edges, [2]int32{int32(e.Source), int32(e.Target)})
		a.targets.Set(int(e.Target))
	}
	p.constraints = make(bitset.Set, len(p.actions)*p.words)
	for _, m := range missing {
		a := int(m.Action - 1)
		p.actions[a].missing.Set(int(m.State))
		if !p.actions[a].sources.Empty() {
			p.constraints.Set(p.constraint(a, int(m.State)))
		}
	}
	for a := range p.actions {
		if p.actions[a].sources.Empty() && !p.actions[a].missing.Empty() {
			p.free = append(p.free, a)
		}
	}
	return p
}

// Toggling is the problem with one more effect: an action may toggle predicates.
func (p *Problem) Toggling() *Problem {
	q := *p
	q.effects = everything
	return &q
}

// constraint is the bit of the pair (s, a).
func (p *Problem) constraint(a, s int) int { return a*p.words*64 + s }

// pair is the action and the state of a bit; for a pair of states to keep distinct,
// a is len(actions) or more and unpair gives the states.
func (p *Problem) pair(constraint int) (a, s int) {
	return constraint / (p.words * 64), constraint % (p.words * 64)
}

func (p *Problem) unpair(constraint int) [2]int {
	return p.distinct[constraint-len(p.actions)*p.words*64]
}

// keepDistinct makes separation constraints of pairs of states. Regions made before do not know
// them.
func (p *Problem) keepDistinct(pairs [][2]int) {
	p.distinct = append(p.distinct, pairs...)
	base := len(p.actions) * p.words
	grown := make(bitset.Set, base+(len(p.distinct)+63)/64)
	copy(grown, p.constraints[:base])
	for i := range p.distinct {
		grown.Set(base*64 + i)
	}
	p.constraints = grown
}

// of is the part of a set of separation constraints that belongs to action a: a set of states.
func (p *Problem) of(constraints bitset.Set, a int) bitset.Set {
	return constraints[a*p.words : (a+1)*p.words]
}

func stateID(s int) strips.StateID   { return strips.StateID(s) }
func actionID(a int) strips.ActionID { return strips.ActionID(a + 1) }

func isPaid(e taskgraph.Edge, paid []taskgraph.Edge) bool {
	return slices.ContainsFunc(paid, func(k taskgraph.Edge) bool {
		return taskgraph.CompareEdges(k, e) == 0
	})
}
