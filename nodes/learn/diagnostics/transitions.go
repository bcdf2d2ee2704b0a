package diagnostics

import (
	"fmt"

	"stripswm/internal/spread"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
)

// named finds a recording whose actions do not follow from its images.
func named(l Learned) (Diagnostic, bool) {
	return Diagnostic{
		Kind: Labels,
		What: fmt.Sprintf(
			"from the images before and after, the action is named rightly %.0f times in a hundred only",
			100*l.Named),
		Do: "see that the ids are those of what was done, that the image after is taken when the scene " +
			"is at rest, and that the camera sees what the skills change",
	}, l.Named > 0 && l.Named < vision.MinInverseAccuracy
}

// labels finds transitions that the graph was not made of since they contradict it.
func labels(l Learned) (Diagnostic, bool) {
	leads := leadsOf(l.Graph)
	d, left := Diagnostic{Kind: Labels}, 0
	for _, t := range l.Data.Transitions {
		before, after := l.Nodes[t.Before], l.Nodes[t.After]
		if before < 0 || after < 0 || leads[stateAction{before, t.Action}][after] {
			continue
		}
		left++
		d.Examples = append(d.Examples, Example{t.Before, t.After, fmt.Sprintf("%s from state %d to %d",
			l.Graph.Label(t.Action), before, after)})
	}
	if left == 0 {
		return d, false
	}
	d.Examples = spread.Evenly(d.Examples, shown)
	d.What = fmt.Sprintf(
		"%s of %d (%.1f %%) contradicted what was seen elsewhere and %s left out: wrong action ids, or "+
			"images taken at the wrong time", count(left, "transition"), len(l.Data.Transitions),
		100*float64(left)/float64(len(l.Data.Transitions)), were(left))
	d.Do = "if these images show what their action does, record more of it"
	return d, true
}

func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

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
