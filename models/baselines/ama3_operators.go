package baselines

import (
	"fmt"
	"slices"

	"stripswm/models/baselines/autoencoder"
	"stripswm/models/strips"
)

// codedTransition is a transition as codes.
type codedTransition struct {
	before, after strips.State
	action        strips.ActionID
}

// ama3Model has an operator for each label of each action. Its preconditions are the bits that
// have one value in all sources of the label. An action that was never seen
// has one operator without anything, and so is in no shortest plan.
func ama3Model(name func(strips.ActionID) string, bits int, transitions []codedTransition,
	effects [][]autoencoder.Effect) *strips.Model {
	m := &strips.Model{Predicates: bits}
	for i, learned := range effects {
		a := strips.ActionID(i + 1)
		for _, l := range labels(transitions, a, learned) {
			op := strips.Operator{Action: a, Name: name(a)}
			shared(&op, bits, l.sources)
			for p, e := range l.effects {
				switch e {
				case autoencoder.Adds:
					op.Add = append(op.Add, strips.Predicate(p))
				case autoencoder.Deletes:
					op.Del = append(op.Del, strips.Predicate(p))
				}
			}
			m.Operators = append(m.Operators, op)
		}
	}
	return m
}

// eachAnAction has each operator of a model as an action of its own, a label, and says
// whose it was: where two apply, a plan may choose.
func eachAnAction(m *strips.Model) (labels *strips.Model, actions []strips.ActionID) {
	labels = &strips.Model{Predicates: m.Predicates}
	nth := map[strips.ActionID]int{}
	for i, op := range m.Operators {
		if nth[op.Action]++; nth[op.Action] > 1 {
			op.Name = fmt.Sprintf("%s (%d)", op.Name, nth[op.Action])
		}
		actions = append(actions, op.Action)
		op.Action = strips.ActionID(i + 1)
		labels.Operators = append(labels.Operators, op)
	}
	return labels, actions
}

// ama3Label is transitions of an action with the same effects.
type ama3Label struct {
	effects []autoencoder.Effect
	sources []strips.State
}

// labels are those of an action: the learned effects, and for each set of bits in which these were
// seen to be wrong, the same with what was seen there. The published labels are as many as there
// are different effects, too. Of an action that was never seen there is one without any.
func labels(transitions []codedTransition, a strips.ActionID,
	effects []autoencoder.Effect) []ama3Label {
	var all []ama3Label
	for _, t := range transitions {
		if t.action != a {
			continue
		}
		seen := seenEffects(t, effects)
		i := slices.IndexFunc(all, func(l ama3Label) bool { return slices.Equal(l.effects, seen) })
		if i < 0 {
			i, all = len(all), append(all, ama3Label{effects: seen})
		}
		all[i].sources = append(all[i].sources, t.before)
	}
	if len(all) == 0 {
		return []ama3Label{{}}
	}
	return all
}

// seenEffects are the given ones, but where they are wrong for the transition, what was seen.
func seenEffects(t codedTransition, effects []autoencoder.Effect) []autoencoder.Effect {
	seen := slices.Clone(effects)
	for p, e := range effects {
		before, after := t.before.Get(strips.Predicate(p)), t.after.Get(strips.Predicate(p))
		if after == (e == autoencoder.Adds || e == autoencoder.Leaves && before) {
			continue
		}
		switch {
		case after == before:
			seen[p] = autoencoder.Leaves
		case after:
			seen[p] = autoencoder.Adds
		default:
			seen[p] = autoencoder.Deletes
		}
	}
	return seen
}

// shared asks for the bits that have one value in all sources.
func shared(op *strips.Operator, bits int, sources []strips.State) {
	for p := range strips.Predicate(bits) {
		held := 0
		for _, s := range sources {
			if s.Get(p) {
				held++
			}
		}
		switch {
		case len(sources) == 0:
		case held == len(sources):
			op.PrePos = append(op.PrePos, p)
		case held == 0:
			op.PreNeg = append(op.PreNeg, p)
		}
	}
}
