package columns

import (
	"stripswm/models/operators/internal/bitset"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Problem is a task graph and its trusted missing pairs, indexed. Actions count
// from 0 in here. It is never changed but by keepApart.
type Problem struct {
	graph     *taskgraph.Graph
	bySupport bool     // slack is weighted by support
	effects   []effect // that an action may have, inert first
	negatives int      // missing pairs
	states    int
	words     int // words of a set of states
	actions   []action
	atoms     bitset.Set // all trusted missing pairs, bit a*64*words + s, then all of apart
	apart     [][2]int   // pairs of states to keep apart, bit 64*words*len(actions) + i
	free      []int      // actions without an edge that have missing pairs
}

// Pair is a node and an action.
type Pair struct {
	State  strips.StateID
	Action strips.ActionID
}

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
	p := &Problem{graph: g, bySupport: bySupport, effects: plain, negatives: len(missing), states: g.NumStates(), words: (g.NumStates() + 63) / 64}
	p.actions = make([]action, g.NumActions())
	for a := range p.actions {
		p.actions[a] = action{sources: bitset.New(p.states), targets: bitset.New(p.states), missing: bitset.New(p.states)}
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
	p.atoms = make(bitset.Set, len(p.actions)*p.words)
	for _, m := range missing {
		a := int(m.Action - 1)
		p.actions[a].missing.Set(int(m.State))
		if !p.actions[a].sources.Empty() {
			p.atoms.Set(p.atom(a, int(m.State)))
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

// atom is the bit of the pair (s, a).
func (p *Problem) atom(a, s int) int { return a*p.words*64 + s }

// pair is the action and the state of a bit; for a pair of states to keep apart,
// a is len(actions) or more and unpair gives the states.
func (p *Problem) pair(atom int) (a, s int) { return atom / (p.words * 64), atom % (p.words * 64) }

func (p *Problem) unpair(atom int) [2]int { return p.apart[atom-len(p.actions)*p.words*64] }

// keepApart makes atoms of pairs of states. Columns made before do not know them.
func (p *Problem) keepApart(pairs [][2]int) {
	p.apart = append(p.apart, pairs...)
	base := len(p.actions) * p.words
	grown := make(bitset.Set, base+(len(p.apart)+63)/64)
	copy(grown, p.atoms[:base])
	for i := range p.apart {
		grown.Set(base*64 + i)
	}
	p.atoms = grown
}

// of is the part of a set of atoms that belongs to action a: a set of states.
func (p *Problem) of(atoms bitset.Set, a int) bitset.Set { return atoms[a*p.words : (a+1)*p.words] }

func stateID(s int) strips.StateID   { return strips.StateID(s) }
func actionID(a int) strips.ActionID { return strips.ActionID(a + 1) }

func isPaid(e taskgraph.Edge, paid []taskgraph.Edge) bool {
	for _, k := range paid {
		if k.Source == e.Source && k.Action == e.Action && k.Target == e.Target {
			return true
		}
	}
	return false
}
