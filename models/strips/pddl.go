package strips

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Dialect is the part of PDDL that a domain is written in.
type Dialect int

const (
	// NegativePreconditions writes one action an operator, with (not (p3)) for
	// a predicate that is to be false. Where the model has exceptions, a fluent
	// such as (node17) is true in exactly the state of that node, kept so by
	// conditional effects, and an action that is refused there requires
	// (not (node17)).
	NegativePreconditions Dialect = iota
	// PositiveTwins writes plain :strips. Each predicate has a twin, (n3), true
	// where (p3) is false, and an operator with exceptions becomes several
	// actions, pick_v1, pick_v2 and so on: their preconditions are disjoint and
	// together hold exactly where the model allows the operator, at most m for
	// each refused state.
	PositiveTwins
)

// WriteDomain writes the model as a PDDL domain. It allows in every state, known
// or not, exactly what [Model.Successor] allows; [Model.PDDLActions] gives the
// ActionID behind each of its actions.
func (m *Model) WriteDomain(w io.Writer, d Dialect) error {
	if err := m.Validate(); err != nil {
		return err
	}
	refused := m.refusedStates()
	marked := d == NegativePreconditions && len(refused) > 0
	var out lines
	out.printf("(define (domain strips-wm)\n  (:requirements :strips")
	if d == NegativePreconditions {
		out.printf(" :negative-preconditions")
	}
	if marked {
		out.printf(" :conditional-effects")
	}
	out.printf(")\n  (:predicates")
	for p := range m.Predicates {
		out.printf(" (p%d)", p)
		if d == PositiveTwins {
			out.printf(" (n%d)", p)
		}
	}
	if marked {
		for _, r := range refused {
			out.printf(" %s", r.mark())
		}
	}
	out.printf(")\n")
	for _, v := range m.pddlActions(d) {
		op := &m.Operators[v.action-1]
		pre := literals(d, op.PrePos, op.PreNeg) + literals(d, v.pos, v.neg)
		effect := effects(d, op.Add, op.Del)
		if marked {
			pre += notThere(refused, op)
			effect += keepMarks(refused, op)
		}
		out.printf("  (:action %s\n    :parameters ()\n    :precondition (and%s)\n    :effect (and%s))\n", v.name, pre, effect)
	}
	out.printf(")\n")
	_, err := w.Write(out.bytes)
	return err
}

// WriteProblem writes the problem of reaching every value of goal from start.
func (m *Model) WriteProblem(w io.Writer, d Dialect, start, goal State) error {
	if start.Len() != m.Predicates || goal.Len() != m.Predicates {
		return fmt.Errorf("pddl: start has %d predicates and goal %d, want %d", start.Len(), goal.Len(), m.Predicates)
	}
	initial := start.holding()
	var out lines
	out.printf("(define (problem strips-wm-problem)\n  (:domain strips-wm)\n  (:init%s", literals(d, initial, nil))
	if d == PositiveTwins {
		out.printf("%s", literals(d, nil, start.lacking()))
	} else {
		for _, r := range m.refusedStates() {
			if r.code == start {
				out.printf(" %s", r.mark())
			}
		}
	}
	out.printf(")\n  (:goal (and%s)))\n", literals(d, goal.holding(), goal.lacking()))
	_, err := w.Write(out.bytes)
	return err
}

// PDDLActions maps the action names that WriteDomain writes to the actions.
func (m *Model) PDDLActions(d Dialect) map[string]ActionID {
	names := map[string]ActionID{}
	for _, v := range m.pddlActions(d) {
		names[v.name] = v.action
	}
	return names
}

// WritePDDLActions writes PDDLActions as a JSON object, by which the plan of an
// outside planner becomes action ids again.
func (m *Model) WritePDDLActions(w io.Writer, d Dialect) error {
	if err := m.Validate(); err != nil {
		return err
	}
	data, err := json.MarshalIndent(m.PDDLActions(d), "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

func (s State) holding() []Predicate { return s.Difference(NewState(s.m)) }

func (s State) lacking() []Predicate {
	var out []Predicate
	for i := range s.m {
		if !s.Get(Predicate(i)) {
			out = append(out, Predicate(i))
		}
	}
	return out
}

func literals(d Dialect, pos, neg []Predicate) string {
	var b strings.Builder
	for _, p := range pos {
		fmt.Fprintf(&b, " (p%d)", p)
	}
	for _, p := range neg {
		if d == PositiveTwins {
			fmt.Fprintf(&b, " (n%d)", p)
		} else {
			fmt.Fprintf(&b, " (not (p%d))", p)
		}
	}
	return b.String()
}

func effects(d Dialect, add, del []Predicate) string {
	var b strings.Builder
	for _, p := range add {
		fmt.Fprintf(&b, " (p%d)", p)
		if d == PositiveTwins {
			fmt.Fprintf(&b, " (not (n%d))", p)
		}
	}
	for _, p := range del {
		fmt.Fprintf(&b, " (not (p%d))", p)
		if d == PositiveTwins {
			fmt.Fprintf(&b, " (n%d)", p)
		}
	}
	return b.String()
}
