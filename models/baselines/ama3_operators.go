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
// so is in no shortest plan.
func ama3Model(label func(strips.ActionID) string, bits int, transitions []codedTransition, effects [][]vision.Effect) *strips.Model {
	m := &strips.Model{Predicates: bits}
	for i := range effects {
		a := strips.ActionID(i + 1)
		op := strips.Operator{Action: a, Name: label(a)}
		held, count := sources(bits, transitions, a)
		for p := range strips.Predicate(bits) {
			if count == 0 {
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
