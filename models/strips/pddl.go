package strips

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Dialect is the part of PDDL that a domain is written in.
type Dialect int

const (
	// NegativePreconditions writes one action an operator, with (not (p3)) for
	// a predicate that is to be false; of an action with several operators they
	// are pick__v1, pick__v2 and so on. What is toggled takes conditional
	// effects, unless a precondition fixes it. Where the model has exceptions or
	// nondeterministic outcomes, which are refused like exceptions, a fluent such as (node17) is
	// true in exactly the state of that node, kept so by conditional effects,
	// and an action that is refused there requires (not (node17)). Where two
	// operators of an action overlap and disagree, both require a disjunction
	// that rules that out.
	NegativePreconditions Dialect = iota
	// CompileAwayNegative writes plain :strips. Each predicate has a twin, (n3), true
	// where (p3) is false, and an operator with exceptions, nondeterministic outcomes, overlaps or
	// toggles becomes several actions, pick_v1, pick_v2 and so on: their
	// preconditions are disjoint and together hold exactly where the model allows
	// the operator, at most m for each refused state, and times 2 for each
	// toggled predicate that no precondition fixes. Writing fails with
	// [ErrPDDLActions] if these are too many.
	CompileAwayNegative
)

// WriteDomain writes the model as a PDDL domain. It allows in every state, known
// or not, exactly what [Model.Successor] allows; [Model.PDDLActions] gives the
// ActionID behind each of its actions.
func (m *Model) WriteDomain(w io.Writer, d Dialect) error {
	if err := m.Validate(); err != nil {
		return err
	}
	actions, err := m.pddlActions(d)
	if err != nil {
		return err
	}
	refused := m.refusedStates()
	marked := d == NegativePreconditions && len(refused) > 0
	conditional, disjunctive := marked, false
	for _, v := range actions {
		conditional = conditional || d == NegativePreconditions && len(v.op.freeToggles()) > 0
		disjunctive = disjunctive || slices.ContainsFunc(v.not, func(c cube) bool { return c.size() > 1 })
	}
	var out lines
	out.printf("(define (domain strips-wm)\n  (:requirements :strips")
	if d == NegativePreconditions {
		out.printf(" :negative-preconditions")
	}
	if disjunctive {
		out.printf(" :disjunctive-preconditions")
	}
	if conditional {
		out.printf(" :conditional-effects")
	}
	out.printf(")\n  (:predicates")
	for p := range m.Predicates {
		out.printf(" (p%d)", p)
		if d == CompileAwayNegative {
			out.printf(" (n%d)", p)
		}
	}
	if marked {
		for _, r := range refused {
			out.printf(" %s", r.mark())
		}
	}
	out.printf(")\n")
	for _, v := range actions {
		pre := literals(d, v.op.PrePos, v.op.PreNeg) + literals(d, v.pos, v.neg) + v.exclude()
		effect := v.effects(d)
		if marked {
			pre += notThere(refused, v.op)
			effect += keepMarks(refused, v.op)
		}
		out.printf("  (:action %s\n    :parameters ()\n    :precondition (and%s)\n    :effect (and%s))\n",
			v.name, pre, effect)
	}
	out.printf(")\n")
	_, err = w.Write(out.bytes)
	return err
}

// WriteProblem writes the problem of reaching every value of goal from start.
func (m *Model) WriteProblem(w io.Writer, d Dialect, start, goal State) error {
	if start.Len() != m.Predicates || goal.Len() != m.Predicates {
		return fmt.Errorf("pddl: start has %d predicates and goal %d, want %d", start.Len(), goal.Len(),
			m.Predicates)
	}
	initial := start.holding()
	var out lines
	out.printf("(define (problem strips-wm-problem)\n  (:domain strips-wm)\n  (:init%s",
		literals(d, initial, nil))
	if d == CompileAwayNegative {
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
func (m *Model) PDDLActions(d Dialect) (map[string]ActionID, error) {
	actions, err := m.pddlActions(d)
	if err != nil {
		return nil, err
	}
	names := map[string]ActionID{}
	for _, v := range actions {
		names[v.name] = v.op.Action
	}
	return names, nil
}

// WritePDDLActions writes PDDLActions as a JSON object, by which the plan of an
// outside planner becomes action ids again.
func (m *Model) WritePDDLActions(w io.Writer, d Dialect) error {
	if err := m.Validate(); err != nil {
		return err
	}
	names, err := m.PDDLActions(d)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(names, "", " ")
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
		if d == CompileAwayNegative {
			fmt.Fprintf(&b, " (n%d)", p)
		} else {
			fmt.Fprintf(&b, " (not (p%d))", p)
		}
	}
	return b.String()
}

// exclude are the preconditions that keep an action out of cubes: a literal or a
// disjunction for each.
func (v *pddlAction) exclude() (text string) {
	for _, c := range v.not {
		clause := literals(NegativePreconditions, c.neg, c.pos)
		if c.size() > 1 {
			clause = fmt.Sprintf(" (or%s)", clause)
		}
		text += clause
	}
	return text
}

// effects are those of an action: what it toggles is added or deleted where a
// precondition fixes it, and takes two conditional effects otherwise.
func (v *pddlAction) effects(d Dialect) string {
	add, del := slices.Clone(v.op.Add), slices.Clone(v.op.Del)
	conditional := ""
	for _, p := range v.op.Toggle {
		switch {
		case slices.Contains(v.op.PrePos, p), slices.Contains(v.pos, p):
			del = append(del, p)
		case slices.Contains(v.op.PreNeg, p), slices.Contains(v.neg, p):
			add = append(add, p)
		default:
			conditional += fmt.Sprintf(" (when (p%d) (not (p%[1]d))) (when (not (p%[1]d)) (p%[1]d))", p)
		}
	}
	return changes(d, add, del) + conditional
}

func changes(d Dialect, add, del []Predicate) string {
	var b strings.Builder
	for _, p := range add {
		fmt.Fprintf(&b, " (p%d)", p)
		if d == CompileAwayNegative {
			fmt.Fprintf(&b, " (not (n%d))", p)
		}
	}
	for _, p := range del {
		fmt.Fprintf(&b, " (not (p%d))", p)
		if d == CompileAwayNegative {
			fmt.Fprintf(&b, " (n%d)", p)
		}
	}
	return b.String()
}
