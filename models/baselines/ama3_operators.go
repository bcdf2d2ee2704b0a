package baselines

import (
	"stripswm/models/strips"
	"stripswm/models/vision"
)

// codedTransition is a transition as codes.
type codedTransition struct {
	before, after strips.State
	action        strips.ActionID
}

// ama3Model has an operator for each action: its effects as learned, and as preconditions
// the bits that have one value in all its sources. One that was never seen has neither, and
// so is in no shortest plan. Bits that effects get wrong in more than a share of the transitions
// are no symbols, and are in no operator.
func ama3Model(label func(strips.ActionID) string, bits int, transitions []codedTransition, effects [][]vision.Effect, share float64) *strips.Model {
	m := &strips.Model{Predicates: bits}
	wrong := mistaken(bits, transitions, effects)
	kept := func(p strips.Predicate) bool { return float64(wrong[p]) <= share*float64(len(transitions)) }
	for i := range effects {
		a := strips.ActionID(i + 1)
		op := strips.Operator{Action: a, Name: label(a)}
		held, count := sources(bits, transitions, a)
		for p := range strips.Predicate(bits) {
			if count == 0 || !kept(p) {
				continue
			}
			switch held[p] {
			case count:
				op.PrePos = append(op.PrePos, p)
			case 0:
				op.PreNeg = append(op.PreNeg, p)
			}
			switch effects[i][p] {
			case vision.Adds:
				op.Add = append(op.Add, p)
			case vision.Deletes:
				op.Del = append(op.Del, p)
			}
		}
		m.Operators = append(m.Operators, op)
	}
	return m
}

// mistaken counts the transitions whose bit after is not what the effects make of that before.
func mistaken(bits int, transitions []codedTransition, effects [][]vision.Effect) []int {
	wrong := make([]int, bits)
	for _, t := range transitions {
		for p, effect := range effects[t.action-1] {
			bit := strips.Predicate(p)
			if after := effect == vision.Adds || effect == vision.Leaves && t.before.Get(bit); after != t.after.Get(bit) {
				wrong[p]++
			}
		}
	}
	return wrong
}

// sources counts the transitions of an action, and those before which each bit holds.
func sources(bits int, transitions []codedTransition, a strips.ActionID) (held []int, count int) {
	held = make([]int, bits)
	for _, t := range transitions {
		if t.action != a {
			continue
		}
		count++
		for p := range held {
			if t.before.Get(strips.Predicate(p)) {
				held[p]++
			}
		}
	}
	return held, count
}

// symbols are the bits that an operator mentions.
func symbols(m *strips.Model) []bool {
	in := make([]bool, m.Predicates)
	for _, op := range m.Operators {
		for _, mask := range [][]strips.Predicate{op.PrePos, op.PreNeg, op.Add, op.Del} {
			for _, p := range mask {
				in[p] = true
			}
		}
	}
	return in
}

// masked has false for the bits that are no symbols.
func masked(s strips.State, symbols []bool) strips.State {
	bits := s.Bools()
	for p, is := range symbols {
		bits[p] = bits[p] && is
	}
	return strips.StateOf(bits)
}
