package report

import (
	"fmt"
	"strings"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// operator is one row of the table of operators, which has those of one action
// (its variants) below each other.
type operator struct {
	Action   strips.ActionID
	Name     string
	Variant  int    // from 1
	Variants int    // of the action
	Needs    string // "p3, ¬p5"
	Adds     string
	Deletes  string
	Toggles  string
	Edges    int // transitions of the task graph that it explains
	Seen     int // observations of them
	// exceptions of the action: states where the data says that it does not apply and no precondition
	// does
	Except int
}

// nondeterminism is a state and an action whose outcome the model calls nondeterministic.
type nondeterminism struct {
	State    strips.StateID
	Name     string
	Outcomes string // "7 times to state 2, 3 times to state 4"
}

func operators(m *strips.Model, g *taskgraph.Graph) []operator {
	except := map[strips.ActionID]int{}
	for _, e := range m.Exceptions {
		except[e.Action]++
	}
	rows := make([]operator, 0, len(m.Operators))
	for a := range strips.ActionID(m.Actions()) {
		variants := m.Variants(a + 1)
		of := len(rows)
		for i, o := range variants {
			rows = append(rows, operator{
				Action: o.Action, Name: o.Name, Variant: i + 1, Variants: len(variants),
				Needs: join(literals("", o.PrePos), literals("¬", o.PreNeg)),
				Adds:  literals("", o.Add), Deletes: literals("", o.Del), Toggles: literals("", o.Toggle),
				Except: except[o.Action],
			})
		}
		explained(rows[of:], variants, m, g)
	}
	return rows
}

// explained counts the edges of an action for the operator that applies there, one
// that is alone for all; what is nondeterministic nothing explains.
func explained(rows []operator, variants []strips.Operator, m *strips.Model, g *taskgraph.Graph) {
	if g == nil {
		return
	}
	left := map[strips.StateID]bool{}
	for _, c := range m.Nondeterministic {
		left[c.Node] = left[c.Node] || c.Action == variants[0].Action
	}
	for _, e := range g.Edges {
		if e.Action != variants[0].Action || left[e.Source] {
			continue
		}
		code, known := m.Code(e.Source)
		for i := range variants {
			if len(variants) == 1 || known && variants[i].Applicable(code) {
				rows[i].Edges++
				rows[i].Seen += e.Support
				break
			}
		}
	}
}

func nondeterministic(m *strips.Model) []nondeterminism {
	var rows []nondeterminism
	for _, c := range m.Nondeterministic {
		words := make([]string, len(c.Outcomes))
		for i, o := range c.Outcomes {
			words[i] = fmt.Sprintf("%s to state %d", count(o.Count, "time", "times"), o.Target)
		}
		rows = append(rows, nondeterminism{c.Node, m.Label(c.Action), strings.Join(words, ", ")})
	}
	return rows
}

// String is the operator in words: "pick_0_1: needs p3, ¬p5; adds p2; deletes p3".
func (o operator) String() string {
	var parts []string
	for _, p := range []struct{ verb, what string }{{"needs", o.Needs}, {"adds", o.Adds},
		{"deletes", o.Deletes}, {"toggles", o.Toggles}} {
		if p.what != "" {
			parts = append(parts, p.verb+" "+p.what)
		}
	}
	if len(parts) == 0 {
		parts = []string{"applies always, changes nothing"}
	}
	name := o.Name
	if o.Variants > 1 {
		name = fmt.Sprintf("%s (%d of %d)", o.Name, o.Variant, o.Variants)
	}
	return name + ": " + strings.Join(parts, "; ")
}

// String is the nondeterministic outcome in words.
func (c nondeterminism) String() string {
	return fmt.Sprintf("%s in state %d is left to nondeterministic: %s", c.Name, c.State, c.Outcomes)
}

func literals(sign string, predicates []strips.Predicate) string {
	words := make([]string, len(predicates))
	for i, p := range predicates {
		words[i] = fmt.Sprintf("%sp%d", sign, p)
	}
	return strings.Join(words, ", ")
}

func join(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, ", ")
}
