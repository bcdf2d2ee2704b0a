package check

import "slices"

// Step is an attempt, and what is true before and after it.
type Step struct {
	Action        int
	Succeeded     bool
	Begins        bool // a segment: nothing is known
	Before, After []string
}

// Fact is who changes it, and who keeps it where it is true.
type Fact struct{ Sets, Clears, Keeps []int }

// Score says how well facts agree with the truth.
type Score struct {
	Words, Found         int // words whose truth changes, and those that a fact tells
	Facts, Untrue        int // facts, and those that tell no word, true or false
	Pairs                int // (setter, undoer) of the words that facts tell, in truth
	PairsFound           int
	PairsFalse           int
	Values, Known, Right int // of true facts, in images: in all; known; right
}

// Compare scores facts by the steps they were learned from. Sample is steps of the same robot, as
// many as possible, which say what skills do; it may be the same.
func Compare(facts []Fact, steps, sample []Step) Score {
	var s Score
	s.Facts = len(facts)
	words := changing(sample)
	s.Words = len(words)
	told := map[string]bool{}
	for _, f := range facts {
		values := f.values(steps)
		word, positive, ok := f.tells(words, steps, values)
		if !ok {
			s.Untrue++
			continue
		}
		told[word] = true
		s.count(f, word, positive, steps, sample, values)
	}
	s.Found = len(told)
	return s
}

// changing are the words that are true at some images of a sample and false at others.
func changing(sample []Step) []string {
	n, total := map[string]int{}, 0
	for _, step := range sample {
		for _, words := range [][]string{step.Before, step.After} {
			total++
			for _, w := range words {
				n[w]++
			}
		}
	}
	var all []string
	for w, k := range n {
		if k < total {
			all = append(all, w)
		}
	}
	slices.Sort(all)
	return all
}

// values of the fact before and after each step: 1 true, -1 false, 0 unknown.
func (f Fact) values(steps []Step) [][2]int {
	now, all := 0, make([][2]int, len(steps))
	for i, s := range steps {
		if s.Begins {
			now = 0
		}
		all[i][0] = now
		if s.Succeeded {
			switch {
			case slices.Contains(f.Sets, s.Action):
				now = 1
			case slices.Contains(f.Clears, s.Action):
				now = -1
			case now > 0 && !slices.Contains(f.Keeps, s.Action):
				now = 0
			}
		}
		all[i][1] = now
	}
	return all
}

// tells is the word that the fact tells best, or that it tells not to be true.
func (f Fact) tells(words []string, steps []Step, values [][2]int) (
	word string, positive, ok bool,
) {
	// Share of the values that are right, of the true ones and of the false ones. Changes that nobody
	// recorded make some wrong.
	const good = 0.7
	most := good
	for _, w := range words {
		var right, n [2]float64 // by value
		for i, s := range steps {
			for side, words := range [][]string{s.Before, s.After} {
				if v := values[i][side]; v != 0 {
					at := (v + 1) / 2
					n[at]++
					if slices.Contains(words, w) {
						right[at]++
					}
				}
			}
		}
		if n[1] == 0 {
			continue
		}
		yes, no := right[1]/n[1], 1.0
		if n[0] > 0 {
			no = 1 - right[0]/n[0]
		}
		if agree := min(yes, no); agree > most {
			most, word, positive, ok = agree, w, true, true
		}
		yes = 1 - yes
		if n[0] > 0 {
			no = 1 - no
		}
		if agree := min(yes, no); n[0] > 0 && agree > most {
			most, word, positive, ok = agree, w, false, true
		}
	}
	return word, positive, ok
}

// count adds the pairs and values of a fact that tells a word.
func (s *Score) count(f Fact, word string, positive bool, steps, sample []Step, values [][2]int) {
	does := effects(word, positive, sample)
	for _, a := range f.Sets {
		if does[a].sets == 0 || does[a].setsNot > 0 {
			s.PairsFalse++ // no setter at all
			continue
		}
		for k, d := range does {
			undoes := d.clears > 0 && d.clearsNot == 0
			found := slices.Contains(f.Clears, k)
			switch {
			case undoes:
				s.Pairs++
				if found {
					s.PairsFound++
				}
			case found:
				s.PairsFalse++
			}
		}
	}
	for i, step := range steps {
		for side, words := range [][]string{step.Before, step.After} {
			s.Values++
			if v := values[i][side]; v != 0 {
				s.Known++
				if (v > 0) == (slices.Contains(words, word) == positive) {
					s.Right++
				}
			}
		}
	}
}

// effect counts what successes of a skill do with a word.
type effect struct{ sets, setsNot, clears, clearsNot int }

func effects(word string, positive bool, sample []Step) map[int]effect {
	does := map[int]effect{}
	for _, s := range sample {
		if !s.Succeeded {
			continue
		}
		e := does[s.Action]
		before := slices.Contains(s.Before, word) == positive
		after := slices.Contains(s.After, word) == positive
		switch {
		case before && after:
			e.clearsNot++
		case before:
			e.clears++
		case after:
			e.sets++
		default:
			e.setsNot++
		}
		does[s.Action] = e
	}
	return does
}
