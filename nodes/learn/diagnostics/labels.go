package diagnostics

import (
	"fmt"

	"stripswm/internal/spread"
	"stripswm/models/vision"
)

// named diagnostics a recording whose actions do not follow from what is seen.
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
