package effects

import (
	"math/rand/v2"
	"testing"
)

// A skill that does two things in turn has two kinds, one whose change is stronger in other light
// has one, and one that changes nothing has one.
func TestKinds(t *testing.T) {
	const side = 12
	rng := rand.New(rand.NewPCG(1, 4))
	lamp, things := float32(0.2), [2]float32{0.2, 0.2}
	look := func() []float32 {
		light := 1 + 0.2*rng.Float32()
		image := make([]float32, 3*side*side)
		for i := range image {
			image[i] = 0.5
		}
		for i := range 9 {
			image[i], image[90+i], image[180+i] = lamp, things[0], things[1]
		}
		for i := range image {
			image[i] = light*image[i] + 0.01*rng.Float32()
		}
		return image
	}
	var attempts []Attempt
	for i := range 240 {
		a := Attempt{Action: 1 + i%4, Succeeded: i%4 < 3, Before: look()}
		switch a.Action {
		case 1:
			lamp = 1 - lamp
		case 2:
			things[0] = 0.7
			a.Before = look()
			things[0] = 0.2
		}
		a.After = look()
		attempts = append(attempts, a)
	}
	kinds, err := Kinds(t.Context(), attempts, Options{Channels: 3, Width: side})
	if err != nil {
		t.Fatal(err)
	}
	seen, none := map[[2]int]int{}, 0 // what was done, by skill and kind
	for i, kind := range kinds {
		a := attempts[i]
		if a.Action == 4 && kind >= 0 {
			t.Errorf("attempt %d was refused and has kind %d", i, kind)
		}
		if kind < 0 {
			none++
			continue
		}
		done := 1
		if a.Action == 1 {
			done += i / 4 % 2
		}
		if at := [2]int{a.Action, kind}; seen[at] == 0 {
			seen[at] = done
		} else if seen[at] != done {
			t.Errorf("attempt %d of skill %d, kind %d, does %d and others %d", i, a.Action, kind, done,
				seen[at])
		}
	}
	if len(seen) != 4 || none > 60+18 {
		t.Errorf("kinds by skill: %v, want two, one and one; %d of no kind", seen, none)
	}
}
