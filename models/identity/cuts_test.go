package identity

import (
	"math/rand/v2"
	"slices"
	"testing"

	"stripswm/models/dataset"
	"stripswm/models/strips"
)

// recordCircle is a recording of a ring of states, one step at a time; codes name the states.
func recordCircle(states, transitions int, rng *rand.Rand) (*dataset.Dataset, []Code) {
	d := dataset.New(1, 2, 2*transitions)
	var codes []Code
	at := 0
	for i := range transitions {
		action := strips.ActionID(1 + rng.IntN(2))
		next := (at + 2*int(action) - 3 + states) % states
		for _, s := range []int{at, next} {
			if _, err := d.AddImage([]uint8{0, 0, 0}); err != nil {
				panic(err)
			}
			codes = append(codes, Code(rune('a'+s)))
		}
		if err := d.AddTransition(dataset.Transition{Before: 2 * i, After: 2*i + 1, Action: action,
			Follows: i > 0}); err != nil {
			panic(err)
		}
		at = next
	}
	return d, codes
}

// TestCutsAreNotMisreadImages puts the scene elsewhere now and then, and misreads as many
// images: Cuts finds the first and not the second.
func TestCutsAreNotMisreadImages(t *testing.T) {
	const states, transitions = 20, 2000
	rng := rand.New(rand.NewPCG(3, 3))
	d, codes := recordCircle(states, transitions, rng)
	if cuts := Cuts(d, codes); len(cuts) > 0 {
		t.Errorf("%d cuts in a recording without", len(cuts))
	}
	// Another part of the recording is put between, which starts and ends elsewhere.
	var want []int
	for i := 1; i < transitions; i++ {
		if i%20 == 0 &&
			codes[d.Transitions[i-1].After] != codes[d.Transitions[transitions-i].Before] {
			want = append(want, i)
		}
	}
	moved := slices.Clone(d.Transitions)
	for _, i := range want {
		moved[i] = d.Transitions[transitions-i]
		moved[i].Follows = true
	}
	d.Transitions = moved
	links := map[int]bool{}
	for i := 1; i < transitions; i++ {
		if codes[moved[i-1].After] != codes[moved[i].Before] {
			links[i] = true
		}
	}
	misread := 0
	for i := 10; i < len(codes); i += 97 {
		codes[i] = Code(rune('a' + rng.IntN(states)))
		misread++
	}
	found := Cuts(d, codes)
	wrong := 0
	for _, i := range found {
		if !links[i] {
			wrong++
		}
	}
	if right := len(found) - wrong; right < len(links)*8/10 || wrong > misread/10 {
		t.Errorf("%d of %d cuts found, and %d of %d misread images found as well", right,
			len(links), wrong, misread)
	}
}
