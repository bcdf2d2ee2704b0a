package main

import (
	"fmt"
	"slices"

	"stripswm/models/facts"
)

// contradictions prints how many wrong labels and unmarked changes are found by their images, and
// how many attempts are contradicted that were recorded right.
func (b *bench) contradictions(found []facts.Contradiction) {
	changed, mislabelled := map[int]bool{}, map[int]bool{}
	for n, a := range slices.Concat(facts.Attempts(b.data).Segments...) {
		if b.steps[n].Reset {
			changed[n] = true
		}
		if a.Action != b.steps[n].Action {
			mislabelled[n] = true
		}
	}
	changes, labels, wrong := 0, 0, 0
	for _, c := range found {
		switch {
		case c.Kind == facts.MovedBefore && changed[c.Attempt]:
			changes++
		case c.Kind == facts.OtherAction && mislabelled[c.Attempt]:
			labels++
		default:
			wrong++
		}
	}
	fmt.Printf("images contradict: %d of %d unmarked changes, %d of %d wrong labels, %d others\n",
		changes, len(changed), labels, len(mislabelled), wrong)
}
