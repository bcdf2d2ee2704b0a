package vision

import (
	"slices"

	"stripswm/models/strips"
)

// Cuts lists the transitions that do not find what the one before left, though the
// recording says so (Transition.Follows): somebody changed the scene, or set it up again, and
// nobody marked it. Two images of one static interval with different codes may also be one
// that was misread. So both sides have to be what was seen elsewhere: the code that the
// transition before leads to is where its action leads most often from there, and where
// this one leads as well.
func Cuts(d *Dataset, codes []Code) []int {
	type doing struct {
		from   Code
		action strips.ActionID
	}
	seen := map[doing]map[Code]int{}
	for _, t := range d.Transitions {
		k := doing{codes[t.Before], t.Action}
		if seen[k] == nil {
			seen[k] = map[Code]int{}
		}
		seen[k][codes[t.After]]++
	}
	usual := func(t Transition) bool {
		to := seen[doing{codes[t.Before], t.Action}]
		own, all := to[codes[t.After]], 0
		for _, n := range to {
			all += n
		}
		const least = 2 // the transition itself and another
		return own >= least && 2*own > all
	}
	var cuts []int
	for i, t := range d.Transitions {
		if i > 0 && t.Follows && codes[d.Transitions[i-1].After] != codes[t.Before] && usual(d.Transitions[i-1]) && usual(t) {
			cuts = append(cuts, i)
		}
	}
	return cuts
}

// Cut marks transitions as not following on the one before.
func (d *Dataset) Cut(transitions []int) {
	for _, i := range transitions {
		d.Transitions[i].Follows = false
	}
}

// linked says whether the transition found what the one before left, for all that is known.
func (t *trainer) linked(transition int) bool {
	_, cut := slices.BinarySearch(t.cuts, transition)
	return t.data.Transitions[transition].Follows && !cut
}
