package strips_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stripswm/models/strips"
)

// expression is a PDDL expression: a word or a list.
type expression struct {
	word string
	list []expression
}

func (e expression) head() string {
	if len(e.list) == 0 {
		return ""
	}
	return e.list[0].word
}

// parse reads one expression and panics if the text is not exactly that.
func parse(text string) expression {
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	e, rest := parseWords(words)
	if len(rest) > 0 {
		panic(fmt.Sprint("text after the expression: ", rest))
	}
	return e
}

func parseWords(words []string) (expression, []string) {
	if words[0] != "(" {
		return expression{word: words[0]}, words[1:]
	}
	e := expression{list: []expression{}}
	for words = words[1:]; words[0] != ")"; {
		var item expression
		item, words = parseWords(words)
		e.list = append(e.list, item)
	}
	return e, words[1:]
}

// facts are the propositions that are true.
type facts map[string]bool

func (f facts) hold(e expression) bool {
	switch e.head() {
	case "and":
		for _, part := range e.list[1:] {
			if !f.hold(part) {
				return false
			}
		}
		return true
	case "or":
		return slices.ContainsFunc(e.list[1:], f.hold)
	case "not":
		return !f.hold(e.list[1])
	}
	return f[e.head()]
}

// after is what an effect makes of f: all conditions are evaluated before, and what
// is added wins over what is deleted, as PDDL says.
func (f facts) after(effect expression) facts {
	add, del := facts{}, facts{}
	f.gather(effect, add, del)
	next := facts{}
	for name := range f {
		if !del[name] {
			next[name] = true
		}
	}
	for name := range add {
		next[name] = true
	}
	return next
}

func (f facts) gather(effect expression, add, del facts) {
	switch effect.head() {
	case "and":
		for _, part := range effect.list[1:] {
			f.gather(part, add, del)
		}
	case "when":
		if f.hold(effect.list[1]) {
			f.gather(effect.list[2], add, del)
		}
	case "not":
		del[effect.list[1].head()] = true
	default:
		add[effect.head()] = true
	}
}

// pddl is what a planner reads of a model, in a dialect.
type pddl struct {
	model   *strips.Model
	dialect strips.Dialect
	actions map[string]strips.ActionID
	domain  expression
}

func written(t interface{ Fatal(...any) }, m *strips.Model, d strips.Dialect) pddl {
	var text bytes.Buffer
	if err := m.WriteDomain(&text, d); err != nil {
		t.Fatal(err)
	}
	names, err := m.PDDLActions(d)
	if err != nil {
		t.Fatal(err)
	}
	return pddl{m, d, names, parse(text.String())}
}

// problem is the initial facts and the goal.
func (p pddl) problem(t interface{ Fatal(...any) }, start, goal strips.State) (facts, expression) {
	var text bytes.Buffer
	if err := p.model.WriteProblem(&text, p.dialect, start, goal); err != nil {
		t.Fatal(err)
	}
	e := parse(text.String())
	initial := facts{}
	for _, fact := range e.list[3].list[1:] {
		initial[fact.head()] = true
	}
	return initial, e.list[4].list[1]
}

// successors are the facts after every action that is applicable. Actions with the
// same id must come to the same.
func (p pddl) successors(t interface{ Fatalf(string, ...any) }, f facts) map[strips.ActionID]facts {
	next := map[strips.ActionID]facts{}
	for _, e := range p.domain.list {
		if e.head() != ":action" {
			continue
		}
		id, known := p.actions[e.list[1].word]
		if !known {
			t.Fatalf("no id for %s", e.list[1].word)
		}
		if !f.hold(e.list[5]) {
			continue
		}
		after := f.after(e.list[7])
		if next[id] != nil && !cmp.Equal(next[id], after) {
			t.Fatalf("two actions for %d are applicable and disagree", id)
		}
		next[id] = after
	}
	return next
}

func (p pddl) count(head string) (n int) {
	for _, e := range p.domain.list {
		if e.head() == head {
			n++
		}
	}
	return n
}

// drawMask draws a mask that is disjoint from others.
func drawMask(t *rapid.T, m int, but ...strips.Predicate) (mask []strips.Predicate) {
	taken := map[strips.Predicate]bool{}
	for _, p := range but {
		taken[p] = true
	}
	for p := range strips.Predicate(m) {
		if !taken[p] && rapid.IntRange(0, 3).Draw(t, "in mask") == 0 {
			mask = append(mask, p)
		}
	}
	return mask
}

// models draws models with variants and toggles in which some of the states are
// known and some pairs are exceptions or nondeterministic.
func models() *rapid.Generator[*strips.Model] {
	return rapid.Custom(func(t *rapid.T) *strips.Model {
		m := &strips.Model{Predicates: rapid.IntRange(0, 4).Draw(t, "m")}
		for a := range rapid.IntRange(1, 4).Draw(t, "actions") {
			for range rapid.IntRange(1, 3).Draw(t, "variants") {
				op := strips.Operator{Action: strips.ActionID(a + 1), Name: fmt.Sprint("act ", a)}
				op.PrePos = drawMask(t, m.Predicates)
				op.PreNeg = drawMask(t, m.Predicates, op.PrePos...)
				op.Add = drawMask(t, m.Predicates)
				op.Del = drawMask(t, m.Predicates, op.Add...)
				op.Toggle = drawMask(t, m.Predicates, slices.Concat(op.Add, op.Del)...)
				m.Operators = append(m.Operators, op)
			}
		}
		for node := range rapid.IntRange(0, 12).Draw(t, "nodes") {
			m.States = append(m.States, strips.Known{Node: strips.StateID(node),
				Code: vector(m.Predicates, rapid.IntRange(0, 1<<m.Predicates-1).Draw(t, "code"))})
			for a := range m.Actions() {
				if draw := rapid.IntRange(0, 5).Draw(t, "exception"); draw < 2 {
					m.Exceptions = append(m.Exceptions, strips.Exception{Node: strips.StateID(node),
						Action: strips.ActionID(a + 1), Shared: draw == 1})
				}
			}
		}
		for node := range m.States {
			if node > 0 && rapid.IntRange(0, 3).Draw(t, "nondeterministic outcome") == 0 {
				a := strips.ActionID(rapid.IntRange(1, m.Actions()).Draw(t, "action"))
				m.Nondeterministic = append(m.Nondeterministic, strips.Nondeterminism{
					Node: strips.StateID(node), Action: a, Outcomes: []strips.Outcome{{Target: 0, Count: 1},
						{Target: strips.StateID(node), Count: 2}}})
			}
		}
		for node := range m.States {
			if rapid.IntRange(0, 3).Draw(t, "untried") == 0 {
				m.Untried = append(m.Untried, strips.Untried{Node: strips.StateID(node),
					Action: strips.ActionID(rapid.IntRange(1, m.Actions()).Draw(t, "action"))})
			}
		}
		return m
	})
}

// vector is the i-th of the 2^m states.
func vector(m, i int) strips.State {
	values := make([]bool, m)
	for p := range values {
		values[p] = i>>p&1 > 0
	}
	return strips.StateOf(values)
}

// The PDDL of a model must allow, in every state whether known or not, exactly
// the actions that the model allows, and lead to the same state.
func TestPDDLIsTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := models().Draw(t, "model")
		for _, d := range []strips.Dialect{strips.NegativePreconditions, strips.CompileAwayNegative} {
			p := written(t, m, d)
			if n := p.count(":action"); d == strips.NegativePreconditions && n > len(m.Operators) {
				t.Fatalf("%d actions for %d operators", n, len(m.Operators))
			}
			for i := range 1 << m.Predicates {
				at := vector(m.Predicates, i)
				initial, _ := p.problem(t, at, at)
				got := p.successors(t, initial)
				for a := strips.ActionID(1); int(a) <= m.Actions(); a++ {
					next, allowed := m.Successor(at, a)
					if allowed != (got[a] != nil) {
						t.Fatalf("dialect %d, state %v: the model allows %d: %t", d, at, a, allowed)
					}
					if !allowed {
						continue
					}
					want, goal := p.problem(t, next, next)
					if diff := cmp.Diff(want, got[a]); diff != "" || !got[a].hold(goal) || next != at &&
						initial.hold(goal) {
						t.Fatalf("dialect %d, state %v, %d: %s", d, at, a, diff)
					}
				}
			}
		}
	})
}

// Plain STRIPS needs nothing but conjunctions of what is true.
func TestPlainSTRIPS(t *testing.T) {
	var text bytes.Buffer
	if err := lamp(strips.Exception{Node: 0, Action: 1}).WriteDomain(&text,
		strips.CompileAwayNegative); err != nil {
		t.Fatal(err)
	}
	if s := text.String(); !strings.Contains(s, "(:requirements :strips)") ||
		strings.Contains(s, "when") || strings.Contains(s, ":precondition (and (not") {
		t.Error(s)
	}
}

func TestPDDLActionsNameEveryAction(t *testing.T) {
	m := lamp(strips.Exception{Node: 1, Action: 1})
	m.Operators[1].Name = "flick_on_v1"
	for d, want := range map[strips.Dialect]map[string]strips.ActionID{
		strips.CompileAwayNegative:   {"flick_on_v1": 1, "flick_on_v1_": 2},
		strips.NegativePreconditions: {"flick_on": 1, "flick_on_v1": 2},
	} {
		var text bytes.Buffer
		if err := m.WritePDDLActions(&text, d); err != nil {
			t.Fatal(err)
		}
		var got map[string]strips.ActionID
		if err := json.Unmarshal(text.Bytes(), &got); err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("dialect %d: %v %v", d, got, err)
		}
	}
}

// Names distinguish the variants of an action, and give the id back.
func TestPDDLActionsOfVariants(t *testing.T) {
	for d, want := range map[strips.Dialect]map[string]strips.ActionID{
		strips.CompileAwayNegative: {"move__v1_v1": 1, "move__v2_v1": 1, "switch_v1": 2,
			"switch_v2": 2},
		strips.NegativePreconditions: {"move__v1": 1, "move__v2": 1, "switch": 2},
	} {
		got, err := mover().PDDLActions(d)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("dialect %d: %v %s", d, err, diff)
		}
	}
}

// What takes too many actions in plain STRIPS is said, soon, and the other dialect
// does it.
func TestTooManyActions(t *testing.T) {
	m := &strips.Model{Predicates: 40, Operators: []strips.Operator{{Action: 1, Name: "all"}}}
	for p := range strips.Predicate(40) {
		m.Operators[0].Toggle = append(m.Operators[0].Toggle, p)
	}
	var text bytes.Buffer
	if err := m.WriteDomain(&text, strips.CompileAwayNegative); !errors.Is(err,
		strips.ErrPDDLActions) || text.Len() > 0 {
		t.Errorf("got %v", err)
	}
	if err := m.WritePDDLActions(&text, strips.CompileAwayNegative); !errors.Is(err,
		strips.ErrPDDLActions) {
		t.Errorf("got %v", err)
	}
	if err := m.WriteDomain(&text, strips.NegativePreconditions); err != nil {
		t.Error(err)
	}
}

func ExampleModel_WriteDomain() {
	m := lamp(strips.Exception{Node: 0, Action: 1}) // without a bulb the switch is stuck
	_ = m.WriteDomain(os.Stdout, strips.NegativePreconditions)
	_ = m.WriteProblem(os.Stdout, strips.NegativePreconditions, code("01"), code("10"))
	_ = m.WritePDDLActions(os.Stdout, strips.NegativePreconditions)
	// Output:
	// (define (domain strips-wm)
	//   (:requirements :strips :negative-preconditions :conditional-effects)
	//   (:predicates (p0) (p1) (node0))
	//   (:action flick_on
	//     :parameters ()
	//     :precondition (and (not (p0)) (not (node0)))
	//     :effect (and (p0)))
	//   (:action unscrew
	//     :parameters ()
	//     :precondition (and (p1))
	//     :effect (and (not (p1)) (when (and (not (p0))) (node0))))
	// )
	// (define (problem strips-wm-problem)
	//   (:domain strips-wm)
	//   (:init (p1))
	//   (:goal (and (p0) (not (p1)))))
	// {
	//  "flick_on": 1,
	//  "unscrew": 2
	// }
}
