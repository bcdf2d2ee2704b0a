package worlds

import (
	"fmt"
	"math/bits"
	"strings"
)

// State is a set of facts: those that hold. Worlds and models have at most 512.
type State [8]uint64

// has says whether every fact of t holds in s.
func (s *State) has(t *State) bool {
	for i, w := range t {
		if w&^s[i] != 0 {
			return false
		}
	}
	return true
}

// meets says whether some fact of t holds in s.
func (s *State) meets(t *State) bool {
	for i, w := range t {
		if w&s[i] != 0 {
			return true
		}
	}
	return false
}

func (s *State) set(fact int) { s[fact/64] |= 1 << (fact % 64) }

func (s *State) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Operator is a STRIPS operator.
type Operator struct {
	Name               string
	Pos, Neg, Add, Del State
}

// Applies says whether the preconditions hold.
func (o *Operator) Applies(s State) bool { return s.has(&o.Pos) && !s.meets(&o.Neg) }

// Apply returns what the operator makes of s.
func (o *Operator) Apply(s State) State {
	for i := range s {
		s[i] = s[i]&^o.Del[i] | o.Add[i]
	}
	return s
}

// World is a start and operators; Operators[a-1] is action a.
type World struct {
	Name      string
	Start     State
	Operators []Operator
}

// All are the worlds that experiments measure.
func All() []*World {
	return []*World{Table(5, 7), Table(10, 12), Table(10, 25), RealTable(), Blocks(), Hanoi(3),
		Hanoi(4), KeyDoor(), Fixture(2, 3), Vehicles(2, 5, 3), Vehicles(4, 5, 12), Kitchen(4, 3, 2),
		Gripper(4, 3)}
}

// mostStates bounds those of a world that are listed.
const mostStates = 1 << 18

// States returns all states that can be reached from the start, breadth first, and for each the
// state before it and the operator between them; -1 for the start.
func (w *World) States() (states []State, before, by []int) {
	return explore(w.Start, w.Operators, func(State) bool { return false }, mostStates)
}

// explore is a breadth-first search that ends at a state that done accepts, or with limit states.
func explore(start State, ops []Operator, done func(State) bool, limit int) (
	states []State, before, by []int) {
	seen := map[State]bool{start: true}
	states, before, by = []State{start}, []int{-1}, []int{-1}
	for i := 0; i < len(states) && len(states) < limit; i++ {
		if done(states[i]) {
			return states[:i+1], before, by
		}
		for a := range ops {
			if !ops[a].Applies(states[i]) {
				continue
			}
			if next := ops[a].Apply(states[i]); !seen[next] {
				seen[next] = true
				states, before, by = append(states, next), append(before, i), append(by, a)
			}
		}
	}
	return states, before, by
}

// builder makes a world of facts with names.
type builder struct {
	World
	facts map[string]int
}

// fact is the index of a fact, which is new where its name is.
func (b *builder) fact(name string) int {
	if b.facts == nil {
		b.facts = map[string]int{}
	}
	if _, known := b.facts[name]; !known {
		b.facts[name] = len(b.facts)
	}
	return b.facts[name]
}

func (b *builder) start(facts ...string) {
	for _, f := range facts {
		b.Start.set(b.fact(f))
	}
}

// op adds an operator. Preconditions and effects are facts separated by commas, and "!" before a
// name is for one that must not hold or that is deleted.
func (b *builder) op(name, pre, effect string) {
	o := Operator{Name: name}
	for list, into := range map[string][2]*State{pre: {&o.Pos, &o.Neg}, effect: {&o.Add, &o.Del}} {
		for f := range strings.SplitSeq(list, ",") {
			plain, negative := strings.CutPrefix(strings.TrimSpace(f), "!")
			if plain == "" {
				continue
			}
			if negative {
				into[1].set(b.fact(plain))
			} else {
				into[0].set(b.fact(plain))
			}
		}
	}
	b.Operators = append(b.Operators, o)
}

func named(name string, ids ...int) string {
	for _, id := range ids {
		name += fmt.Sprintf("_%d", id)
	}
	return name
}
