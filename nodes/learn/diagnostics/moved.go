package diagnostics

import (
	"fmt"

	"stripswm/models/strips"
)

// moved finds a static interval from which on all looks other than before. The encoder may have
// taken a state for the same then, whose images differ, or for another.
func moved(l Learned) (Diagnostic, bool) {
	d := Diagnostic{Kind: Moved,
		Do: "fix camera and light and record again, or learn from one of the parts"}
	at, found := otherStates(l)
	if found {
		d.What = fmt.Sprintf(
			"between transitions %d and %d the scene became another: no state that was seen before was "+
				"seen since, so the camera was moved, the light changed, or there is no way back", at, at+1)
	} else if at, found = otherAppearance(l); found {
		d.What = fmt.Sprintf(
			"from about transition %d on all states look other than before: the camera was moved, or the "+
				"light changed", at)
	} else {
		return d, false
	}
	last := map[strips.StateID]int{}
	for _, t := range l.Data.Transitions[:at] {
		last[l.Nodes[t.After]] = t.After
	}
	for _, t := range l.Data.Transitions[min(at+len(l.Data.Transitions)/parts,
		len(l.Data.Transitions)):] {
		if was, ok := last[l.Nodes[t.Before]]; ok && l.Nodes[t.Before] >= 0 && len(d.Examples) < 3 {
			d.Examples = append(d.Examples, Example{was, t.Before, fmt.Sprintf("state %d, before and since",
				l.Nodes[t.Before])})
			delete(last, l.Nodes[t.Before])
		}
	}
	if len(d.Examples) == 0 {
		d.Examples = []Example{{l.Data.Transitions[at-1].After, l.Data.Transitions[at].Before,
			"before and since"}}
	}
	return d, true
}

// otherStates finds a transition before which nothing was done, or the two images of the
// static interval show different states, and from which on no state is one that was seen before,
// although before and since states come back.
func otherStates(l Learned) (at int, found bool) {
	const hardly, mostly = 0.05, 0.5
	// back is the share of transitions from b up to end that begin in a state seen from begin up to a.
	back := func(begin, a, b, end int) float64 {
		seen, again, all := map[strips.StateID]bool{}, 0.0, 0.0
		for _, t := range l.Data.Transitions[begin:a] {
			seen[l.Nodes[t.Before]], seen[l.Nodes[t.After]] = true, true
		}
		for _, t := range l.Data.Transitions[b:end] {
			if node := l.Nodes[t.Before]; node >= 0 {
				if all++; seen[node] {
					again++
				}
			}
		}
		return again / max(all, 1)
	}
	all := len(l.Data.Transitions)
	for at = all / parts; at > 0 && at < all-all/parts; at++ {
		t, was := l.Data.Transitions[at], l.Data.Transitions[at-1]
		if t.Follows && l.Nodes[t.Before] == l.Nodes[was.After] {
			continue
		}
		if middle := (at + all) / 2; back(0, at, at, all) < hardly && back(0, at/2, at/2, at) > mostly &&
			back(at, middle, middle, all) > mostly {
			return at, true
		}
	}
	return 0, false
}
