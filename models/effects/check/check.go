package check

import (
	"maps"
	"slices"
)

// Step is an attempt, and what is true before and after it.
type Step struct {
	Action        int
	Succeeded     bool
	Begins        bool // a segment: nothing is known
	Before, After []string
}

// Fact is its value before and after each step: 1 true, -1 false, 0 unknown; and what is said to
// set and clear it.
type Fact struct {
	Values       [][2]int
	Sets, Clears []int
}

// Score says how well facts agree with the truth.
type Score struct {
	Words        int `json:"words"`         // whose truth changes
	Found        int `json:"found"`         // of these, those that a fact tells
	Facts        int `json:"facts"`         // in all
	Untrue       int `json:"untrue"`        // facts that tell no word, true or false
	Effects      int `json:"effects"`       // actions that set or clear what facts tell, in truth
	EffectsFound int `json:"effects_found"` // of these, those that are said to
	EffectsFalse int `json:"effects_false"` // actions that are said to, and do not
	Values       int `json:"values"`        // of facts that tell a word, in images
	Known        int `json:"known"`         // of these
	Right        int `json:"right"`         // of those known
}

// Compare scores facts by the steps they were learned from. Actions has, by step, the action of a
// success, which is the skill's or that of one of its variants; 0 is not known.
func Compare(facts []Fact, steps []Step, actions []int) Score {
	words := changing(steps)
	s := Score{Words: len(words), Facts: len(facts)}
	told := map[string]bool{}
	for _, f := range facts {
		word, positive, ok := f.tells(words, steps)
		if !ok {
			s.Untrue++
			continue
		}
		told[word] = true
		s.count(f, word, positive, steps, actions)
	}
	s.Found = len(told)
	return s
}

// changing are the words that are true at some images and false at others.
func changing(steps []Step) []string {
	n := map[string]int{}
	for _, step := range steps {
		for _, words := range [][]string{step.Before, step.After} {
			for _, w := range words {
				n[w]++
			}
		}
	}
	maps.DeleteFunc(n, func(_ string, count int) bool { return count == 2*len(steps) })
	return slices.Sorted(maps.Keys(n))
}

// tells is the word that the fact tells best, or that it tells not to be true.
func (f Fact) tells(words []string, steps []Step) (word string, positive, ok bool) {
	// Share of the values that are right, of the true ones and of the false ones. Changes that nobody
	// recorded make some wrong.
	const good = 0.7
	most := good
	for _, w := range words {
		var truly, n [2]float64 // by value: where the word is true, and all
		for i, s := range steps {
			for side, words := range [][]string{s.Before, s.After} {
				if v := f.Values[i][side]; v != 0 {
					n[(v+1)/2]++
					if slices.Contains(words, w) {
						truly[(v+1)/2]++
					}
				}
			}
		}
		if min(n[0], n[1]) == 0 {
			continue
		}
		yes, no := truly[1]/n[1], truly[0]/n[0]
		if agree := min(yes, 1-no); agree > most {
			most, word, positive, ok = agree, w, true, true
		}
		if agree := min(1-yes, no); agree > most {
			most, word, positive, ok = agree, w, false, true
		}
	}
	return word, positive, ok
}

// count adds the effects and values of a fact that tells a word.
func (s *Score) count(f Fact, word string, positive bool, steps []Step, actions []int) {
	type does struct{ comes, remains, goes, stays int }
	truth := map[int]*does{}
	for i, step := range steps {
		is := [2]bool{slices.Contains(step.Before, word) == positive,
			slices.Contains(step.After, word) == positive}
		for side, v := range f.Values[i] {
			s.Values++
			if v != 0 {
				s.Known++
			}
			if v > 0 && is[side] || v < 0 && !is[side] {
				s.Right++
			}
		}
		if !step.Succeeded || actions[i] == 0 {
			continue
		}
		d := truth[actions[i]]
		if d == nil {
			d = &does{}
			truth[actions[i]] = d
		}
		switch {
		case is[0] && is[1]:
			d.stays++
		case is[0]:
			d.goes++
		case is[1]:
			d.comes++
		default:
			d.remains++
		}
	}
	for action, d := range truth {
		for _, e := range []struct {
			said      bool
			does, not int
		}{{slices.Contains(f.Sets, action), d.comes, d.remains},
			{slices.Contains(f.Clears, action), d.goes, d.stays}} {
			switch {
			case e.does > e.not:
				s.Effects++
				if e.said {
					s.EffectsFound++
				}
			case e.said && e.not > e.does:
				s.EffectsFalse++
			}
		}
	}
}
