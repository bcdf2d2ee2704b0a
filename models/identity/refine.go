package identity

import (
	"slices"

	"stripswm/models/dataset"
)

// Refine splits codes that cover aliased states, as far as the order of the recording separates
// these, and returns the code of each image. The parts are numbered, the most frequent state first;
// images of refused attempts have no code there, unless they also belong to a transition.
//
// If one action leads from a code to two codes, both often, the code covers two states, or one of
// the successors is split too much. The transitions in decide. In a state, the transition out does
// not depend on the transition in, so transitions that occur together belong to one state. Where
// the two successors follow after different transitions in, the code is split between these. Stage
// 3 then learns from the images what stage 1 did not. Later images are located by the task graph
// (Locator).
func Refine(d *dataset.Dataset, codes []Code) []Code {
	found := findSplits(d, codes)
	if len(found) == 0 {
		return codes
	}
	refined := found.apply(d, codes)
	for _, t := range d.Transitions {
		for _, image := range []int{t.Before, t.After} {
			if code := refined[image]; found[code] != nil {
				refined[image] = code.numbered(0) // reached and left by rare transitions only
			}
		}
	}
	for _, t := range d.Refused {
		if found[refined[t.Before]] != nil {
			refined[t.Before] = "" // at which of the states is not known
		}
	}
	return refined
}

// splits has, for each code that covers several states, which transitions in and out belong to
// which state, by number.
type splits map[Code]map[transition]int

// findSplits returns the splits that the order of the recording shows.
func findSplits(d *dataset.Dataset, codes []Code) splits {
	found := splits{}
	conflicts := conflictsOf(d, codes)
	if len(conflicts) == 0 {
		return found
	}
	for code, list := range visitsOf(d, codes) {
		if !conflicts[code] {
			continue
		}
		if state := statesOf(list); state != nil {
			found[code] = state
		}
	}
	return found
}

// apply numbers the codes of images whose code covers several states, where a transition in or out
// tells the state. Other images keep their code.
func (s splits) apply(d *dataset.Dataset, codes []Code) []Code {
	refined := slices.Clone(codes)
	for code, list := range visitsOf(d, codes) {
		if s[code] == nil {
			continue
		}
		for _, p := range list {
			k, known := s[code][p.out]
			if !known {
				k, known = s[code][p.in]
			}
			if !known {
				continue
			}
			for _, image := range p.images {
				refined[image] = code.numbered(k)
			}
		}
	}
	return refined
}
