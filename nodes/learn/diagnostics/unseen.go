package diagnostics

import (
	"fmt"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// unlikely is the probability of something new from which on it counts as all there is.
const unlikely = 0.01

// NextNew is about the probability that one more transition shows an action from a state where
// it was not seen yet: how many of the last tenth did. (Of transitions that have nothing
// to do with each other, those seen once would tell: Good 1953. But on a policy what is
// new comes together.)
func NextNew(l Learned) float64 {
	known, leads := map[stateAction]bool{}, leadsOf(l.Graph)
	all, last, new := len(l.Data.Transitions), (len(l.Data.Transitions)+9)/10, 0
	for i, t := range l.Data.Transitions {
		w := stateAction{l.Nodes[t.Before], t.Action}
		if !leads[w][l.Nodes[t.After]] {
			continue // a wrong label is new, and no news
		}
		if !known[w] && i >= all-last {
			new++
		}
		known[w] = true
	}
	return float64(new) / float64(max(last, 1))
}

// stateAction is an action from a state.
type stateAction struct {
	state  strips.StateID
	action strips.ActionID
}

// leadsOf is where the graph's edges lead.
func leadsOf(g *taskgraph.Graph) map[stateAction]map[strips.StateID]bool {
	leads := map[stateAction]map[strips.StateID]bool{}
	for _, e := range g.Edges {
		w := stateAction{e.Source, e.Action}
		if leads[w] == nil {
			leads[w] = map[strips.StateID]bool{}
		}
		leads[w][e.Target] = true
	}
	return leads
}

// unseen says when the recording has not shown most of what there is.
func unseen(l Learned) (Diagnostic, bool) {
	probability := NextNew(l)
	return Diagnostic{
		Kind: Unseen,
		What: fmt.Sprintf(
			"of the last tenth of the transitions, %.0f %% showed what had not been seen: there is more "+
				"that the skills do", 100*probability),
		Do: "record more, until that hardly happens",
	}, probability > unlikely
}

// early says that training has not settled.
func early(l Learned) (Diagnostic, bool) {
	return Diagnostic{
		Kind: Early,
		What: "training ended before it settled: codes still changed, or actions still led from one " +
			"code to several",
		Do: "train longer (--resume with more --steps); if that does not help, see the other " +
			"diagnostics",
	}, l.Unsettled
}
