package worlds

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"stripswm/models/strips"
)

// Score compares learned operators with a world.
type Score struct {
	States    int     `json:"states"`
	Precision float64 `json:"precision"` // of applicability, over all states and actions
	Recall    float64 `json:"recall"`
	Untrue    int     `json:"untrue"` // predicates whose value in some state depends on the path to it
	Plans     float64 `json:"plans"`  // share of plans between random states that lead to the goal
}

// planStates bounds the states that a search for a plan visits, since a wrong model may have many
// more than its world; worlds here have fewer than 10,000.
const planStates = 40_000

// Compare compares operators with the world in all of its states, and plans between as many random
// pairs of states. The predicates' values in a state follow from the operators and the start, along
// the path on which breadth-first search finds the state.
func (w *World) Compare(
	learned []strips.Operator, start strips.State, queries int, seed uint64) (Score, error) {
	ops, states, values, err := w.follow(learned, start)
	if err != nil {
		return Score{}, err
	}
	s := Score{States: len(states)}
	var both, predicted, actual int
	for i, x := range states {
		for a := range ops {
			model, truth := ops[a].Applies(values[i]), w.Operators[a].Applies(x)
			if model {
				predicted++
			}
			if truth {
				actual++
			}
			if model && truth {
				both++
			}
		}
	}
	s.Precision, s.Recall = float64(both)/max(float64(predicted), 1), float64(both)/float64(actual)
	s.Untrue = w.untrue(states, values, ops)
	s.Plans = w.plans(ops, states, values, queries, queries, seed)
	return s, nil
}

// Plans is the share of plans between random states that lead to the goal. After so many failures
// it plans no more, and all plans that are left count as failures.
func (w *World) Plans(learned []strips.Operator, start strips.State, queries, failures int,
	seed uint64,
) (float64, error) {
	ops, states, values, err := w.follow(learned, start)
	if err != nil {
		return 0, err
	}
	return w.plans(ops, states, values, queries, failures, seed), nil
}

func (w *World) plans(ops []Operator, states, values []State, queries, failures int, seed uint64,
) float64 {
	rng := rand.New(rand.NewPCG(seed, 0x91a2))
	solved := 0
	for i := 0; i < queries && i-solved < failures; i++ {
		from, to := rng.IntN(len(states)), rng.IntN(len(states))
		if w.Leads(states[from], states[to], plan(values[from], values[to], ops)) {
			solved++
		}
	}
	return float64(solved) / float64(queries)
}

// follow returns learned operators by action, all states of the world, and the predicates' values
// in each.
func (w *World) follow(learned []strips.Operator, start strips.State) (
	ops []Operator, states, values []State, err error) {
	if start.Len() > len(State{})*64 {
		return nil, nil, nil, fmt.Errorf("worlds: the model has %d predicates, at most %d can be "+
			"compared", start.Len(), len(State{})*64)
	}
	ops = make([]Operator, len(w.Operators))
	for _, o := range learned {
		ops[o.Action-1] = Operator{o.Name, pack(o.PrePos), pack(o.PreNeg), pack(o.Add), pack(o.Del)}
	}
	states, before, by := w.States()
	if len(states) >= mostStates {
		return nil, nil, nil, fmt.Errorf("worlds: %s has too many states to compare: %d and more", w.Name,
			mostStates)
	}
	values = make([]State, len(states))
	for p := range start.Len() {
		if start.Get(strips.Predicate(p)) {
			values[0].set(p)
		}
	}
	for i := 1; i < len(states); i++ {
		values[i] = ops[by[i]].Apply(values[before[i]])
	}
	return ops, states, values, nil
}

// plan is a shortest plan, nil where there is none.
func plan(from, to State, ops []Operator) []strips.ActionID {
	reached, before, by := explore(from, ops, func(s State) bool { return s == to }, planStates)
	if reached[len(reached)-1] != to {
		return nil
	}
	var steps []strips.ActionID
	for i := len(reached) - 1; before[i] >= 0; i = before[i] {
		steps = append(steps, strips.ActionID(by[i]+1))
	}
	slices.Reverse(steps)
	return steps
}

// Leads says whether the actions of a plan lead from one state to the other.
func (w *World) Leads(from, to State, plan []strips.ActionID) bool {
	for _, a := range plan {
		o := &w.Operators[a-1]
		if !o.Applies(from) {
			return false
		}
		from = o.Apply(from)
	}
	return from == to
}

func pack(predicates []strips.Predicate) State {
	var s State
	for _, p := range predicates {
		s.set(int(p))
	}
	return s
}

// untrue counts the predicates that some operator of the world, where it applies, adds although
// they hold, or deletes although they do not, or gives another value than the state after it has.
func (w *World) untrue(states, values []State, ops []Operator) int {
	index := make(map[State]int, len(states))
	for i, s := range states {
		index[s] = i
	}
	var wrong State
	for i, x := range states {
		for a := range ops {
			if !w.Operators[a].Applies(x) {
				continue
			}
			next, after := ops[a].Apply(values[i]), values[index[w.Operators[a].Apply(x)]]
			for k, v := range values[i] {
				wrong[k] |= ops[a].Add[k]&v | ops[a].Del[k]&^v | next[k] ^ after[k]
			}
		}
	}
	return wrong.count()
}
