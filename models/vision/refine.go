package vision

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Refine splits codes that cover several states, as far as the order of the
// recording tells these apart, and returns a code for each image again. Those of a
// split are numbered, the most frequent state first; images of refused attempts
// at it have none, unless they also belong to a transition.
//
// A code that one action leads from to two codes, both often (Evaluation.Conflicts),
// covers two states, or the second successor is over-split. How the robot came to
// it decides: a state is left in ways that do not depend on how it was reached,
// so ways in and ways out that occur together are of one state. Where the two
// successors follow on different ways in, the code is split between them.
// Stage 3 then learns to tell from images what stage 1 could not; who codes
// images later finds the splits in the task graph (SplitsOf, Locator).
func Refine(d *Dataset, codes []Code) []Code { return Splits{}.Refine(d, codes) }

// Splits says which codes cover several states, and which of the ways to reach and
// to leave these are of which state, by number.
type Splits map[Code]map[way]int

// Refine is the function Refine, with splits that are known from before.
func (s Splits) Refine(d *Dataset, codes []Code) []Code {
	splits := Splits{}
	maps.Copy(splits, s)
	splits.find(d, codes)
	if len(splits) == 0 {
		return codes
	}
	refined := splits.apply(d, codes)
	for _, t := range d.Transitions {
		for _, image := range []int{t.Before, t.After} {
			if code := refined[image]; splits[code] != nil {
				refined[image] = code.numbered(0) // reached and left in rare ways only
			}
		}
	}
	for _, t := range d.Refused {
		if splits[refined[t.Before]] != nil {
			refined[t.Before] = "" // at which of the states is not known
		}
	}
	return refined
}

// find adds the splits that the order of the recording shows and s does not have.
func (s Splits) find(d *Dataset, codes []Code) {
	conflicts := conflictsOf(d, codes)
	maps.DeleteFunc(conflicts, func(c Code, _ bool) bool { return s[c] != nil })
	if len(conflicts) == 0 {
		return
	}
	for code, list := range passagesOf(d, codes) {
		if !conflicts[code] {
			continue
		}
		if state := statesOf(list); state != nil {
			s[code] = state
		}
	}
}

// apply numbers the codes of images that show a code which covers several states
// and was reached or left in a way that tells which. Other images keep theirs.
func (s Splits) apply(d *Dataset, codes []Code) []Code {
	refined := slices.Clone(codes)
	if len(s) == 0 {
		return refined
	}
	for code, list := range passagesOf(d, codes) {
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

// numbered is the code of the k-th state of those that the code covers.
func (c Code) numbered(k int) Code { return c + Code("."+strconv.Itoa(k)) }

// shown takes a numbered code apart: the code of the images, and the number; -1
// where there is none.
func (c Code) shown() (Code, int) {
	before, after, _ := strings.Cut(string(c), ".")
	k, err := strconv.Atoi(after)
	if err != nil {
		return c, -1
	}
	return Code(before), k
}
