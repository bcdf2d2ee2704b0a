package puzzles

import (
	"math/rand/v2"
	"slices"
	"strings"

	"stripswm/models/strips"
)

// Half marks the second code of a state that Split gave two.
const Half = "'"

// Stray marks codes of no state that Misread gives.
const Stray = "?"

// Split gives that share of the states, at least one, a second code, the state's word with [Half]
// after it: each picture of such a state goes to either. It is what over-splitting encoders do.
func Split(attempts []Attempt, share float64, seed uint64) []Attempt {
	rng := rand.New(rand.NewPCG(seed, 1))
	words := states(attempts)
	rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	two := map[string]bool{}
	for _, word := range words[:min(max(1, int(share*float64(len(words)))), len(words))] {
		two[word] = true
	}
	return recode(attempts, func(state string) string {
		if two[state] && rng.IntN(2) == 1 {
			return state + Half
		}
		return state
	})
}

// Merge gives two different states, drawn at random, one code, their words joined by '+': what an
// encoder does that cannot tell them apart. It returns the two as well.
func Merge(attempts []Attempt, seed uint64) ([]Attempt, [2]string) {
	rng := rand.New(rand.NewPCG(seed, 2))
	words := states(attempts)
	order := rng.Perm(len(words))
	pair := [2]string{words[order[0]], words[order[1]]}
	return recode(attempts, func(state string) string {
		if state == pair[0] || state == pair[1] {
			return strings.Join(pair[:], "+")
		}
		return state
	}), pair
}

// Mislabel gives that share of the transitions, each drawn for itself, another action of p, drawn
// evenly. Refused attempts keep theirs.
func (p Puzzle) Mislabel(attempts []Attempt, share float64, seed uint64) []Attempt {
	rng := rand.New(rand.NewPCG(seed, 3))
	out := slices.Clone(attempts)
	for i, t := range out {
		if t.OK && rng.Float64() < share {
			wrong := strips.ActionID(1 + rng.IntN(len(p.Skills)-1))
			if wrong >= t.Action {
				wrong++
			}
			out[i].Action = wrong
		}
	}
	return out
}

// Misread takes that share of the pictures, each drawn for itself, for what they do not show: for one
// of two other states, or for nothing that there is, a code or two of the state's own, the word with
// [Stray] after it. Which these are is drawn for each state. A refused attempt has one picture.
func Misread(attempts []Attempt, share float64, seed uint64) []Attempt {
	rng := rand.New(rand.NewPCG(seed, 4))
	words := states(attempts)
	taken := map[string][]string{}
	for _, word := range words {
		taken[word] = []string{words[rng.IntN(len(words))], words[rng.IntN(len(words))], word + Stray, word + Stray + Stray}
	}
	out := recode(attempts, func(state string) string {
		if rng.Float64() < share {
			return taken[state][rng.IntN(len(taken[state]))]
		}
		return state
	})
	for i, t := range out {
		if !t.OK {
			out[i].After = t.Before
		}
	}
	return out
}

// recode writes both pictures of each attempt anew.
func recode(attempts []Attempt, code func(state string) string) []Attempt {
	out := slices.Clone(attempts)
	for i, t := range out {
		out[i].Before, out[i].After = code(t.Before), code(t.After)
	}
	return out
}

// states returns the words of the attempts, sorted.
func states(attempts []Attempt) []string {
	var words []string
	for _, t := range attempts {
		words = append(words, t.Before, t.After)
	}
	slices.Sort(words)
	return slices.Compact(words)
}
