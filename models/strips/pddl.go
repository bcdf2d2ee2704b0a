package strips

import (
	"fmt"
	"io"
	"strings"
)

// Dialect is a way to say in PDDL that a predicate is false.
type Dialect int

const (
	// NegativePreconditions writes (not (p3)); the planner must know
	// :negative-preconditions.
	NegativePreconditions Dialect = iota
	// PositiveTwins gives each predicate a twin, (n3), true where (p3) is
	// false, so that plain :strips planners can read the model.
	PositiveTwins
)

// WriteDomain writes the model as a PDDL domain.
//
// Exceptions are compiled away: an action that is refused in some predicate
// states becomes several actions whose preconditions are disjoint and together
// hold exactly where the model allows it (at most m for each refused state).
// They are named pick_v1, pick_v2 and so on; [Model.PDDLActions] gives the
// ActionID behind each name.
func (m *Model) WriteDomain(w io.Writer, d Dialect) error {
	if err := m.Validate(); err != nil {
		return err
	}
	var out lines
	out.printf("(define (domain strips-wm)\n  (:requirements :strips")
	if d == NegativePreconditions {
		out.printf(" :negative-preconditions")
	}
	out.printf(")\n  (:predicates")
	for p := range m.Predicates {
		out.printf(" (p%d)", p)
		if d == PositiveTwins {
			out.printf(" (n%d)", p)
		}
	}
	out.printf(")\n")
	for _, v := range m.variants() {
		op := m.Operators[v.action-1]
		out.printf("  (:action %s\n    :parameters ()\n    :precondition (and%s)\n    :effect (and%s))\n", v.name,
			literals(d, op.PrePos, op.PreNeg)+literals(d, v.pos, v.neg), effects(d, op.Add, op.Del))
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
	}
	out.printf(")\n  (:goal (and%s)))\n", literals(d, goal.holding(), goal.lacking()))
	_, err := w.Write(out.bytes)
	return err
}

// PDDLActions maps the action names that WriteDomain writes to the actions.
func (m *Model) PDDLActions() map[string]ActionID {
	names := map[string]ActionID{}
	for _, v := range m.variants() {
		names[v.name] = v.action
	}
	return names
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
