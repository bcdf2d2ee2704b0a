package operators

import (
	"context"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// keptProofs bounds how many cores Learn keeps; Explain finds any on demand.
const keptProofs = 500

// Proof is an inseparable missing pair and edges that prove it: every predicate
// that holds in all sources of the action, by these edges and without transition
// slack, holds in the state too. The core is not minimal; see [Explain].
type Proof struct {
	Missing
	Core []taskgraph.Edge
}

// proofs keeps a core for each of the atoms.
func (p *Problem) proofs(ctx context.Context, atoms bitset) []Proof {
	if len(p.graph.Edges) == 0 || atoms.empty() {
		return nil
	}
	refused := map[strips.Exception]int{}
	for _, m := range p.missing {
		refused[strips.Exception{Node: m.State, Action: m.Action}] = m.Refused
	}
	o := newEdgeOracle(p, true)
	var out []Proof
	for atom := range atoms.each {
		a, s := p.pair(atom)
		if len(out) == keptProofs || ctx.Err() != nil || a >= len(p.actions) {
			break
		}
		_, core := o.ask(o.apart(atom, +1), newBitset(len(p.graph.Edges)))
		proof := Proof{Missing: Missing{stateID(s), actionID(a), refused[strips.Exception{Node: stateID(s), Action: actionID(a)}]}}
		for e := range core.each {
			proof.Core = append(proof.Core, p.graph.Edges[e])
		}
		out = append(out, proof)
	}
	return out
}
