package report

import (
	"fmt"
	"strings"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// operator is one row of the table of operators.
type operator struct {
	Action  strips.ActionID
	Name    string
	Needs   string // "p3, ¬p5"
	Adds    string
	Deletes string
	Edges   int // transitions of the task graph that it explains
	Seen    int // observations of them
	Except  int // exceptions: states where the data says that it does not apply and no precondition does
}

func operators(m *strips.Model, g *taskgraph.Graph) []operator {
	rows := make([]operator, len(m.Operators))
	for i, o := range m.Operators {
		rows[i] = operator{
			Action: o.Action, Name: o.Name,
			Needs:   join(literals("", o.PrePos), literals("¬", o.PreNeg)),
			Adds:    literals("", o.Add),
			Deletes: literals("", o.Del),
		}
	}
	for _, e := range m.Exceptions {
		if i := int(e.Action) - 1; i >= 0 && i < len(rows) {
			rows[i].Except++
		}
	}
	if g == nil {
		return rows
	}
	for _, e := range g.Edges {
		if i := int(e.Action) - 1; i < len(rows) {
			rows[i].Edges++
			rows[i].Seen += e.Support
		}
	}
	return rows
}

// String is the operator in words: "pick_0_1: needs p3, ¬p5; adds p2; deletes p3".
func (o operator) String() string {
	var parts []string
	for _, p := range []struct{ verb, what string }{{"needs", o.Needs}, {"adds", o.Adds}, {"deletes", o.Deletes}} {
		if p.what != "" {
			parts = append(parts, p.verb+" "+p.what)
		}
	}
	if len(parts) == 0 {
		parts = []string{"applies always, changes nothing"}
	}
	return o.Name + ": " + strings.Join(parts, "; ")
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
