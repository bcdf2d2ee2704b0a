package sim_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// The sizes follow from counting: a truck is at one of five sites, a parcel there or in one of two
// trucks; a thing is at one of five places or, one at a time, in the hand, and each of three doors
// is open or closed.
func TestCountedStates(t *testing.T) {
	for name, want := range map[string]int{
		"depot":   5 * 5 * 7 * 7 * 7,
		"kitchen": 8 * (5*5*5*5 + 4*5*5*5),
	} {
		if n := world(t, name).NumStates(); n != want {
			t.Errorf("%s has %d states, want %d", name, n, want)
		}
	}
}

// The skill that undoes another one, by their names.
func inverse(name string) string {
	word := strings.Split(name, "_")
	if word[0] == "drive" {
		return strings.Join([]string{"drive", word[1], word[3], word[2]}, "_")
	}
	undo := map[string]string{"load": "unload", "unload": "load", "take": "put", "put": "take",
		"open": "close", "close": "open"}
	return strings.Join(append([]string{undo[word[0]]}, word[1:]...), "_")
}

// What a skill does its inverse undoes, and a skill does not apply twice in a row.
func TestInverseSkills(t *testing.T) {
	for _, name := range []string{"depot", "kitchen"} {
		w, action := world(t, name), map[string]strips.ActionID{}
		for i, n := range sim.ActionNames(w) {
			action[n] = strips.ActionID(i + 1)
		}
		rapid.Check(t, func(t *rapid.T) {
			s := sim.State(rapid.IntRange(0, w.NumStates()-1).Draw(t, "state"))
			a := strips.ActionID(rapid.IntRange(1, w.NumActions()).Draw(t, "action"))
			next, ok := w.Apply(s, a)
			if !ok {
				return
			}
			undo := action[inverse(w.ActionName(a))]
			if back, ok := w.Apply(next, undo); !ok || back != s {
				t.Fatalf("%s: %s after %s leads from %q to %q", name, w.ActionName(undo),
					w.ActionName(a), w.Describe(s), w.Describe(back))
			}
			if _, ok := w.Apply(next, a); ok {
				t.Fatalf("%s: %s applies twice from %q", name, w.ActionName(a), w.Describe(s))
			}
		})
	}
}
