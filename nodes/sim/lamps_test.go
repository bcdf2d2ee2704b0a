package sim_test

import (
	"testing"

	"pgregory.net/rapid"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// toggled has bit k set where lamp k+1 is another in t than in s, by their descriptions.
func toggled(w *sim.World, s, t sim.State) (lamps uint) {
	for _, d := range []string{w.Describe(s), w.Describe(t)} {
		for _, c := range d {
			if c >= '1' && c <= '6' {
				lamps ^= 1 << (c - '1')
			}
		}
	}
	return lamps
}

// rank is that of the rows over GF(2).
func rank(rows []uint) (n int) {
	for i := range rows {
		if rows[i] == 0 {
			continue
		}
		n++
		low := rows[i] & -rows[i]
		for k := i + 1; k < len(rows); k++ {
			if rows[k]&low != 0 {
				rows[k] ^= rows[i]
			}
		}
	}
	return n
}

// Lamps that are toggled are sums over GF(2): there are 2 to the rank of the buttons.
func TestLampsAreWhatTheButtonsSpan(t *testing.T) {
	w := world(t, "lamps")
	var buttons []uint
	for a := strips.ActionID(1); int(a) <= w.NumActions(); a++ {
		next, _ := w.Apply(w.Initial(), a)
		buttons = append(buttons, toggled(w, w.Initial(), next))
	}
	want := []uint{0b000011, 0b000111, 0b001110, 0b011100, 0b111000, 0b110000}
	for i := range want {
		if buttons[i] != want[i] {
			t.Errorf("button %d toggles %06b, not %06b", i+1, buttons[i], want[i])
		}
	}
	if r := rank(buttons); r != 6 || w.NumStates() != 1<<r {
		t.Errorf("buttons of rank %d, %d states", r, w.NumStates())
	}
}

// Nothing is ever refused; a button toggles the same lamps in every state, undoes itself, and the
// order of two does not matter.
func TestButtons(t *testing.T) {
	w := world(t, "lamps")
	rapid.Check(t, func(t *rapid.T) {
		s := sim.State(rapid.IntRange(0, w.NumStates()-1).Draw(t, "state"))
		press := func(s sim.State, a strips.ActionID) sim.State {
			next, ok := w.Apply(s, a)
			if !ok {
				t.Fatalf("%s is refused: %s", w.ActionName(a), w.Describe(s))
			}
			return next
		}
		button := rapid.Custom(func(t *rapid.T) strips.ActionID {
			return strips.ActionID(rapid.IntRange(1, w.NumActions()).Draw(t, "button"))
		})
		a, b := button.Draw(t, "one"), button.Draw(t, "other")
		if press(press(s, a), a) != s || press(press(s, a), b) != press(press(s, b), a) {
			t.Fatalf("%s and %s from %s", w.ActionName(a), w.ActionName(b), w.Describe(s))
		}
		if got, want := toggled(w, s, press(s, a)), toggled(w, w.Initial(),
			press(w.Initial(), a)); got != want {
			t.Fatalf("%s toggles %06b in %q and %06b at first", w.ActionName(a), got, w.Describe(s), want)
		}
	})
}
