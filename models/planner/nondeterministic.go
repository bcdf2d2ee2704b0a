package planner

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"stripswm/models/strips"
)

// UncertainStep is a step of a plan whose outcome is not certain: the action was seen to lead from
// there to the state that the plan goes on from in Wanted of Seen attempts, or was never tried
// there, with both 0. Who carries the plan out has to look after it, and to plan again.
type UncertainStep struct {
	Step   int `json:"step"` // index in the plan
	Wanted int `json:"wanted"`
	Seen   int `json:"seen"`
}

// String says which step, counted from 1, and its odds.
func (c UncertainStep) String() string {
	if c.Seen == 0 {
		return fmt.Sprintf("step %d: never tried there", c.Step+1)
	}
	return fmt.Sprintf("step %d: %d of %d attempts", c.Step+1, c.Wanted, c.Seen)
}

// UncertainAt is what a step of the plan, counted from 0, is left to, if it is.
func (r Result) UncertainAt(step int) (UncertainStep, bool) {
	for _, c := range r.Uncertain {
		if c.Step == step {
			return c, true
		}
	}
	return UncertainStep{}, false
}

// Untried are the steps of the plan, counted from 0, that nobody tried.
func (r Result) Untried() []int {
	steps := []int{}
	for _, c := range r.Uncertain {
		if c.Seen == 0 {
			steps = append(steps, c.Step)
		}
	}
	return steps
}

// odds are those of an outcome; nil is certainty, and of what nobody tried there are
// none.
type odds struct{ wanted, seen int }

// untriedAttempts are reckoned with for what nobody tried: it may as well be refused.
const untriedAttempts = 2

// attempts is how many are to be expected until the outcome comes.
func (o *odds) attempts() float64 {
	if o == nil {
		return 1
	}
	if o.seen == 0 {
		return untriedAttempts
	}
	return float64(o.seen) / float64(o.wanted)
}

// nondeterministic is an action that may lead to a state.
type nondeterministic struct {
	action strips.ActionID
	to     strips.State
	odds   *odds
}

// nondeterministicOutcomes are the outcomes that a model calls nondeterministic, by the code they
// are seen from, by action and target, and those that it predicts of what nobody tried. Nodes with
// one code are one state here, and their counts one sample; an exception outweighs them.
func nondeterministicOutcomes(m *strips.Model) map[strips.State][]nondeterministic {
	without := *m
	without.Nondeterministic, without.Untried = nil, nil
	excepted := without.Refusals()
	counts := map[strips.Refusal]map[strips.State]int{}
	for _, c := range m.Nondeterministic {
		code, _ := m.Code(c.Node)
		pair := strips.Refusal{Code: code, Action: c.Action}
		if excepted[pair] {
			continue
		}
		if counts[pair] == nil {
			counts[pair] = map[strips.State]int{}
		}
		for _, o := range c.Outcomes {
			to, _ := m.Code(o.Target)
			counts[pair][to] += o.Count
		}
	}
	out := map[strips.State][]nondeterministic{}
	for pair, targets := range counts {
		seen := 0
		for _, n := range targets {
			seen += n
		}
		for to, n := range targets {
			out[pair.Code] = append(out[pair.Code], nondeterministic{pair.Action, to, &odds{n, seen}})
		}
	}
	for _, u := range m.Untried {
		code, _ := m.Code(u.Node)
		pair := strips.Refusal{Code: code, Action: u.Action}
		if to, ok := m.Predict(code, u.Action); ok && !excepted[pair] && counts[pair] == nil {
			counts[pair] = map[strips.State]int{} // another node may have the code
			out[code] = append(out[code], nondeterministic{u.Action, to, &odds{}})
		}
	}
	for code := range maps.Keys(out) {
		slices.SortFunc(out[code], func(a, b nondeterministic) int {
			return cmp.Or(cmp.Compare(a.action, b.action), strings.Compare(a.to.String(), b.to.String()))
		})
	}
	return out
}
