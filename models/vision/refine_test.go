package vision

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/models/strips"
)

// ring is a world of states 0..n-1 in a circle: actions 1 and 2 go on and back,
// and each state s has a short cut of its own, action 3+s, half way round.
const ring = 8

func step(s int, rng *rand.Rand) (a strips.ActionID, next int) {
	switch rng.IntN(3) {
	case 0:
		return 1, (s + 1) % ring
	case 1:
		return 2, (s + ring - 1) % ring
	}
	return strips.ActionID(3 + s), (s + ring/2) % ring
}

// walkRing is a walk with the true state of each image, and the code that look
// gives it.
func walkRing(steps int, look func(state int, rng *rand.Rand) string) (d *Dataset, states []int, codes []Code) {
	rng := rand.New(rand.NewPCG(3, uint64(steps)))
	d = NewDataset(1, 2+ring, 0)
	at := 0
	show := func(s int) int {
		states, codes = append(states, s), append(codes, Code(look(s, rng)))
		return len(states) - 1
	}
	for i := range steps {
		a, next := step(at, rng)
		d.Transitions = append(d.Transitions, Transition{Before: show(at), Action: a, After: show(next), Follows: i > 0})
		at = next
		if i%10 == 0 {
			image := show(at)
			d.Refused = append(d.Refused, Transition{Before: image, After: image, Action: strips.ActionID(3 + (at+1)%ring)})
		}
	}
	return d, states, codes
}

// TestRefineSplitsWhatIsTwoStates gives states 2 and 6 one code, with some pictures
// misread: the walk tells them apart, and every code is then of one state.
func TestRefineSplitsWhatIsTwoStates(t *testing.T) {
	d, states, codes := walkRing(4000, func(s int, rng *rand.Rand) string {
		switch {
		case rng.IntN(200) == 0:
			return fmt.Sprint("misread ", rng.IntN(5))
		case s == 6:
			s = 2
		}
		return fmt.Sprint(s)
	})
	refined := Refine(d, codes)
	of := map[Code]map[int]int{}
	for i, c := range refined {
		if of[c] == nil {
			of[c] = map[int]int{}
		}
		of[c][states[i]]++
	}
	for _, c := range []Code{"2.0", "2.1"} {
		total, most := 0, 0
		for _, n := range of[c] {
			total, most = total+n, max(most, n)
		}
		if most < 300 || float64(most) < 0.97*float64(total) {
			t.Errorf("code %s shows states %v", c, of[c])
		}
	}
	if len(of["2"]) > 0 || len(of[""]) == 0 {
		t.Errorf("code 2 is left with %v, no code with %v", of["2"], of[""])
	}
	g, err := TaskGraph(d, refined, make([]string, 0))
	if err == nil {
		t.Errorf("a graph without actions: %v", g)
	}
}

// TestRefineLeavesOtherCodes has nothing to split: true states, states that are
// over-split, and two states under one code that the walk cannot tell apart.
func TestRefineLeavesOtherCodes(t *testing.T) {
	for name, look := range map[string]func(int, *rand.Rand) string{
		"true states": func(s int, _ *rand.Rand) string { return fmt.Sprint(s) },
		"over-split":  func(s int, rng *rand.Rand) string { return fmt.Sprint(s, "/", rng.IntN(1+s%3)) },
		"one code":    func(int, *rand.Rand) string { return "all" },
		"misread": func(s int, rng *rand.Rand) string {
			if rng.IntN(20) == 0 {
				s = rng.IntN(ring)
			}
			return fmt.Sprint(s)
		},
	} {
		d, _, codes := walkRing(4000, look)
		if refined := Refine(d, codes); !slices.Equal(refined, codes) {
			n := 0
			for i := range codes {
				if refined[i] != codes[i] {
					n++
				}
			}
			t.Errorf("%s: %d of %d images got another code", name, n, len(codes))
		}
	}
	if got := Refine(NewDataset(1, 1, 0), nil); len(got) != 0 {
		t.Errorf("nothing became %v", got)
	}
}
