package schemas

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"stripswm/models/strips"
)

// relation is the objects that a schema has together.
type relation struct {
	params []int // of the schema; whatever these are, the others are any objects
	rows   [][]int
	name   string // empty if all pairs of different objects are meant
	text   string // the precondition
}

// relate finds the relations. Schemas that have the same objects together share one.
func (l *Lifted) relate() {
	shared := map[string]string{}
	for i, s := range l.layout.schemas {
		r := l.layout.relation(s)
		var sorts []int
		for _, k := range r.params {
			sorts, r.text = append(sorts, s.params[k]), r.text+" "+variable(object{index: k})
		}
		key := fmt.Sprint(sorts, r.rows)
		switch {
		case len(sorts) == 0:
		case len(sorts) == 2 && sorts[0] == sorts[1] &&
			len(r.rows) == l.layout.sizes[sorts[0]]*(l.layout.sizes[sorts[0]]-1):
			r.text = " (not (=" + r.text + "))"
		default:
			if shared[key] == "" {
				shared[key] = l.taken.take("can", []string{"can", l.Schemas[i].Name})
			}
			r.name = shared[key]
			r.text = fmt.Sprintf(" (%s%s)", r.name, r.text)
		}
		l.Schemas[i].relation = r
	}
}

// relation leaves out parameters that may be any object, whatever the others are.
func (y *layout) relation(s schema) (r relation) {
	project := func(params []int) (rows [][]int) {
		for _, row := range s.rows {
			var some []int
			for _, k := range params {
				some = append(some, row.args[k])
			}
			rows = append(rows, some)
		}
		slices.SortFunc(rows, slices.Compare)
		return slices.CompactFunc(rows, slices.Equal)
	}
	for k := range s.params {
		r.params = append(r.params, k)
	}
	r.rows = project(r.params)
	for k, p := range s.params {
		params := slices.DeleteFunc(slices.Clone(r.params), func(i int) bool { return i == k })
		if rows := project(params); len(rows)*y.sizes[p] == len(r.rows) {
			r.params, r.rows = params, rows
		}
	}
	return r
}

// WriteDomain writes PDDL that allows in every state what the model allows, and leads to the same
// states. What does not fit a schema is an action of its own. Objects are constants.
func (l *Lifted) WriteDomain(w io.Writer) error {
	var actions, head strings.Builder
	for i, s := range l.layout.schemas {
		params := ""
		for k, p := range s.params {
			params += fmt.Sprintf(" %s - %s", variable(object{index: k}), l.Sorts[p].Name)
		}
		l.writeAction(&actions, l.Schemas[i].Name, params, l.Schemas[i].relation.text, s.items,
			variable)
	}
	for _, i := range l.layout.alone {
		condition, never := "", false
		for _, conjunction := range l.table.disputed[i] {
			condition += " (or"
			for _, x := range conjunction {
				a := l.layout.atoms[x.Predicate]
				not := item{kind: needsNot.of(x.Negated != a.negated), symbol: a.symbol, args: a.args}
				condition += l.literal(not, l.constant)
			}
			condition += ")"
			never = never || len(conjunction) == 0
		}
		if !never {
			l.writeAction(&actions, l.Actions[i].Name, "", condition,
				l.layout.forAll(l.layout.items(&l.table.model.Operators[i])), l.constant)
		}
	}
	head.WriteString("(define (domain strips-wm)\n  (:requirements :strips :typing" +
		" :negative-preconditions")
	for _, r := range [][2]string{{" (= ", ":equality"}, {"(or", ":disjunctive-preconditions"},
		{"(forall", ":universal-preconditions"}, {"(when", ":conditional-effects"}} {
		if strings.Contains(actions.String(), r[0]) {
			head.WriteString(" " + r[1])
		}
	}
	head.WriteString(")\n")
	if len(l.Sorts) > 0 {
		types, constants := "", ""
		for _, s := range l.Sorts {
			types += " " + s.Name
			objects := slices.Sorted(slices.Values(s.Objects))
			constants += "\n    " + strings.Join(objects, " ") + " - " + s.Name
		}
		fmt.Fprintf(&head, "  (:types%s - object)\n  (:constants%s)\n", types, constants)
	}
	head.WriteString("  (:predicates")
	declared := names{}
	declare := func(name string, sorts []int) {
		if name == "" || declared[name] {
			return
		}
		declared[name] = true
		head.WriteString("\n    (" + name)
		for k, s := range sorts {
			fmt.Fprintf(&head, " %s - %s", variable(object{index: k}), l.Sorts[s].Name)
		}
		head.WriteString(")")
	}
	for p, a := range l.layout.atoms {
		var sorts []int
		for _, o := range a.args {
			sorts = append(sorts, o.sort)
		}
		declare(l.Atoms[p].Symbol, sorts)
	}
	for i, s := range l.Schemas {
		var sorts []int
		for _, k := range s.relation.params {
			sorts = append(sorts, l.layout.schemas[i].params[k])
		}
		declare(s.relation.name, sorts)
	}
	_, err := fmt.Fprintf(w, "%s)\n%s)\n", head.String(), actions.String())
	return err
}

func (l *Lifted) constant(o object) string { return l.Sorts[o.sort].Objects[o.index] }

func variable(o object) string { return fmt.Sprint("?x", o.index+1) }

func (l *Lifted) writeAction(w io.Writer, name, params, condition string, items []item,
	term func(object) string) {
	effect := ""
	for _, x := range items {
		if text := l.literal(x, term); x.kind < adds {
			condition += text
		} else {
			effect += text
		}
	}
	fmt.Fprintf(w, "  (:action %s\n    :parameters (%s)\n    :precondition (and%s)\n"+
		"    :effect (and%s))\n", name, strings.TrimSpace(params), condition, effect)
}

// literal is an item in PDDL, after a space.
func (l *Lifted) literal(x item, term func(object) string) string {
	text, forAll := "("+l.symbols[x.symbol], ""
	for _, o := range x.args {
		if o.index != every {
			text += " " + term(o)
			continue
		}
		text += " ?every"
		forAll = fmt.Sprintf("(forall (?every - %s) ", l.Sorts[o.sort].Name)
	}
	switch text += ")"; x.kind {
	case needsNot, deletes:
		text = "(not " + text + ")"
	case toggles:
		text = fmt.Sprintf("(when %s (not %[1]s)) (when (not %[1]s) %[1]s)", text)
		if forAll != "" { // PDDL has (and) in what holds for all, and not in (and)
			text = "(and " + text + ")"
		}
	}
	for _, o := range x.but {
		text = fmt.Sprintf("(or (= ?every %s) %s)", term(o), text)
	}
	if forAll != "" {
		text = forAll + text + ")"
	}
	return " " + text
}

// WriteProblem writes a problem of the domain: what objects schemas have together, and, where they
// are not nil, the predicate vectors of start and goal.
func (l *Lifted) WriteProblem(w io.Writer, start, goal *strips.State) error {
	initial, wanted := "", ""
	for _, s := range []*strips.State{start, goal} {
		if s != nil && s.Len() != len(l.Atoms) {
			return fmt.Errorf("schemas: a state has %d predicates, want %d", s.Len(), len(l.Atoms))
		}
	}
	for i, a := range l.layout.atoms {
		p, x := strips.Predicate(i), item{symbol: a.symbol, args: a.args}
		if start != nil && start.Get(p) != a.negated {
			initial += l.literal(x, l.constant)
		}
		if goal != nil {
			x.kind = needs.of(goal.Get(p) == a.negated)
			wanted += l.literal(x, l.constant)
		}
	}
	written := names{"": true}
	for i, s := range l.Schemas {
		r := s.relation
		for _, row := range r.rows {
			if written[r.name] {
				break
			}
			initial += "\n    (" + r.name
			for k, index := range row {
				initial += " " + l.constant(object{l.layout.schemas[i].params[r.params[k]], index})
			}
			initial += ")"
		}
		written[r.name] = true
	}
	_, err := fmt.Fprintf(w, "(define (problem strips-wm-problem)\n  (:domain strips-wm)\n"+
		"  (:init%s)\n  (:goal (and%s)))\n", initial, wanted)
	return err
}
