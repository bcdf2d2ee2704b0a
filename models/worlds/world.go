package worlds

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"stripswm/models/strips"
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

// Has says whether a fact holds; -1 never does.
func (s *State) Has(fact int) bool { return fact >= 0 && s[fact/64]>>(fact%64)&1 == 1 }

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

// Skill does what the operator that applies does; no two of them apply in one state.
type Skill struct {
	Name      string
	Operators []Operator
}

// Apply returns what the skill makes of a state; ok is false where it is refused.
func (k *Skill) Apply(s State) (next State, ok bool) {
	for i := range k.Operators {
		if k.Operators[i].Applies(s) {
			return k.Operators[i].Apply(s), true
		}
	}
	return s, false
}

// World is a start and operators. Operators[a-1] is action a, but for worlds with skills that
// depend on the state.
type World struct {
	Name      string
	Start     State
	Operators []Operator
	facts     map[string]int
}

// All are the worlds that experiments measure.
func All() []*World {
	return []*World{Table(5, 7), Table(10, 12), Table(10, 25), RealTable(), Blocks(), Hanoi(3),
		Hanoi(4), KeyDoor(), Puzzle(2, 3), Vehicles(2, 5, 3), Vehicles(4, 5, 12), Kitchen(4, 3, 2),
		Gripper(4, 3)}
}

// Skills are the world's: operators of one name that follow one another are one skill.
func (w *World) Skills() (skills []Skill) {
	for _, o := range w.Operators {
		if k := len(skills) - 1; k >= 0 && skills[k].Name == o.Name {
			skills[k].Operators = append(skills[k].Operators, o)
		} else {
			skills = append(skills, Skill{o.Name, []Operator{o}})
		}
	}
	return skills
}

// Model is the world as a model whose predicates are its facts, and its start. A skill whose effect
// depends on the state has several operators.
func (w *World) Model() (*strips.Model, strips.State) {
	m := &strips.Model{}
	list := func(s State) (all []strips.Predicate) {
		for f := range 64 * len(s) {
			if s.Has(f) {
				all, m.Predicates = append(all, strips.Predicate(f)), max(m.Predicates, f+1)
			}
		}
		return all
	}
	for i, skill := range w.Skills() {
		for _, o := range skill.Operators {
			m.Operators = append(m.Operators, strips.Operator{Action: strips.ActionID(i + 1),
				Name: skill.Name, PrePos: list(o.Pos), PreNeg: list(o.Neg), Add: list(o.Add),
				Del: list(o.Del)})
		}
	}
	start := list(w.Start)
	return m, strips.NewState(m.Predicates, start...)
}

// Grouped returns the world with fewer skills: of names the one that an action belongs to. They
// come in the order of names, or sorted.
func (w *World) Grouped(of func(action string) string, names ...string) *World {
	for i := range w.Operators {
		w.Operators[i].Name = of(w.Operators[i].Name)
	}
	slices.SortStableFunc(w.Operators, func(a, b Operator) int {
		return cmp.Or(slices.Index(names, a.Name)-slices.Index(names, b.Name),
			strings.Compare(a.Name, b.Name))
	})
	return w
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

// Fact is the index of a fact, -1 where the world has none of that name.
func (w *World) Fact(name string) int {
	if i, ok := w.facts[name]; ok {
		return i
	}
	return -1
}

// fact is the index of a fact, which is new where its name is.
func (w *World) fact(name string) int {
	if w.facts == nil {
		w.facts = map[string]int{}
	}
	if _, known := w.facts[name]; !known {
		w.facts[name] = len(w.facts)
	}
	return w.facts[name]
}

// Value is which of the facts name_0 to name_(n-1) holds, -1 where none does.
func (w *World) Value(s State, name string, n int) int {
	for k := range n {
		if s.Has(w.Fact(named(name, k))) {
			return k
		}
	}
	return -1
}

func (w *World) start(facts ...string) {
	for _, f := range facts {
		w.Start.set(w.fact(f))
	}
}

// From returns the world with another start.
func (w *World) From(facts ...string) *World {
	w.Start = State{}
	w.start(facts...)
	return w
}

// op adds an operator. Preconditions and effects are facts separated by commas, and "!" before a
// name is for one that must not hold or that is deleted.
func (w *World) op(name, pre, effect string) {
	o := Operator{Name: name}
	for i, into := range [][2]*State{{&o.Pos, &o.Neg}, {&o.Add, &o.Del}} {
		for f := range strings.SplitSeq([]string{pre, effect}[i], ",") {
			plain, negative := strings.CutPrefix(strings.TrimSpace(f), "!")
			if plain == "" {
				continue
			}
			if negative {
				into[1].set(w.fact(plain))
			} else {
				into[0].set(w.fact(plain))
			}
		}
	}
	w.Operators = append(w.Operators, o)
}

// toggle adds operators of one name that flip the facts, whatever holds before.
func (w *World) toggle(name string, facts ...string) {
	for on := range 1 << len(facts) {
		var pre, effect []string
		for i, f := range facts {
			pair := []string{f, "!" + f}
			pre, effect = append(pre, pair[on>>i&1]), append(effect, pair[on>>i&1^1])
		}
		w.op(name, strings.Join(pre, ","), strings.Join(effect, ","))
	}
}

// none says of each of n facts that it does not hold: format has its number.
func none(n int, format string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("!"+format, i)
	}
	return strings.Join(all, ",")
}

func named(name string, parts ...any) string {
	for _, p := range parts {
		name += fmt.Sprint("_", p)
	}
	return name
}
