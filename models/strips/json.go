package strips

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// MaxModelBytes bounds what ReadJSON reads.
const MaxModelBytes = 256 << 20

type modelJSON struct {
	Predicates       *int                   `json:"predicates"`
	Names            []string               `json:"predicate_names,omitempty"`
	Actions          []actionJSON           `json:"actions"`
	States           []stateJSON            `json:"states"`
	Exceptions       []exceptionJSON        `json:"exceptions"`
	Slack            []slackJSON            `json:"slack"`
	Nondeterministic []nondeterministicJSON `json:"chances"`
	Untried          []untriedJSON          `json:"untried"`
}

type actionJSON struct {
	ID     ActionID    `json:"id,omitempty"` // where it is not one more than that before
	Name   string      `json:"name"`
	PrePos []Predicate `json:"pre_pos"`
	PreNeg []Predicate `json:"pre_neg"`
	Add    []Predicate `json:"add"`
	Del    []Predicate `json:"del"`
	Toggle []Predicate `json:"toggle,omitempty"`
}

type stateJSON struct {
	Node StateID `json:"node"`
	Code string  `json:"code"`
}

type exceptionJSON struct {
	Node   StateID `json:"node"`
	Action string  `json:"action"`
	Shared bool    `json:"shared,omitempty"`
}

type slackJSON struct {
	Source    StateID   `json:"source"`
	Action    string    `json:"action"`
	Target    StateID   `json:"target"`
	Predicate Predicate `json:"predicate"`
}

type nondeterministicJSON struct {
	Node     StateID   `json:"node"`
	Action   string    `json:"action"`
	Outcomes []Outcome `json:"outcomes"`
}

type untriedJSON struct {
	Node   StateID `json:"node"`
	Action string  `json:"action"`
}

// WriteJSON writes the model, one operator and one state a line. Predicates count
// from 0, nodes are those of the task graph, and exceptions, slack, chances and
// untried pairs refer to actions by name; operators in a row with the same name are
// variants of one action. An action has an id where actions before it have no operator. Of
// predicate names, toggles, chances and untried pairs, what there is none of is left out.
// The same model gives the same bytes.
func (m *Model) WriteJSON(w io.Writer) error {
	if err := m.Validate(); err != nil {
		return err
	}
	var out lines
	out.printf("{\n \"predicates\": %d", m.Predicates)
	if len(m.Names) > 0 {
		list(&out, "predicate_names", m.Names, func(name string) any { return name })
	}
	last := ActionID(0)
	list(&out, "actions", m.Operators, func(o Operator) any {
		id := o.Action
		if id <= last+1 {
			id = 0
		}
		last = o.Action
		return actionJSON{id, o.Name, notNil(o.PrePos), notNil(o.PreNeg), notNil(o.Add), notNil(o.Del),
			o.Toggle}
	})
	list(&out, "states", m.States, func(k Known) any { return stateJSON{k.Node, k.Code.String()} })
	list(&out, "exceptions", m.Exceptions, func(e Exception) any {
		return exceptionJSON{e.Node, m.Label(e.Action), e.Shared}
	})
	list(&out, "slack", m.Slack, func(s Slack) any {
		return slackJSON{s.Source, m.Label(s.Action), s.Target, s.Predicate}
	})
	if len(m.Nondeterministic) > 0 {
		list(&out, "chances", m.Nondeterministic, func(c Nondeterminism) any {
			return nondeterministicJSON{c.Node, m.Label(c.Action), c.Outcomes}
		})
	}
	if len(m.Untried) > 0 {
		list(&out, "untried", m.Untried, func(u Untried) any {
			return untriedJSON{u.Node, m.Label(u.Action)}
		})
	}
	out.printf("\n}\n")
	if out.err != nil {
		return fmt.Errorf("model: %w", out.err)
	}
	_, err := w.Write(out.bytes)
	return err
}

// ReadJSON reads what WriteJSON wrote and validates it.
func ReadJSON(r io.Reader) (*Model, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxModelBytes+1))
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if len(data) > MaxModelBytes {
		return nil, fmt.Errorf("model: larger than %d bytes", MaxModelBytes)
	}
	var in modelJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if in.Predicates == nil || in.Actions == nil || in.States == nil {
		return nil,
			errors.New(
				"model: want an object with predicates, actions and states: the file is of another program " +
					"or version")
	}
	m := &Model{Predicates: *in.Predicates, Names: in.Names}
	ids := map[string]ActionID{}
	at := ActionID(0)
	for i, a := range in.Actions {
		if i == 0 || a.Name != in.Actions[i-1].Name {
			at++
		}
		if a.ID != 0 {
			at = a.ID
		}
		ids[a.Name] = at
		m.Operators = append(m.Operators, Operator{at, a.Name, a.PrePos, a.PreNeg, a.Add, a.Del,
			a.Toggle})
	}
	for i, s := range in.States {
		code, err := ParseState(s.Code)
		if err != nil {
			return nil, fmt.Errorf("model: state %d: %w", i, err)
		}
		m.States = append(m.States, Known{s.Node, code})
	}
	slices.SortStableFunc(m.States, func(a, b Known) int { return int(a.Node) - int(b.Node) })
	id := func(what string, i int, name string) ActionID {
		a, known := ids[name]
		if !known && err == nil {
			err = fmt.Errorf("model: %s %d: no action is named %q", what, i, name)
		}
		return a
	}
	for i, e := range in.Exceptions {
		m.Exceptions = append(m.Exceptions, Exception{e.Node, id("exception", i, e.Action), e.Shared})
	}
	for i, s := range in.Slack {
		m.Slack = append(m.Slack, Slack{s.Source, id("slack", i, s.Action), s.Target, s.Predicate})
	}
	for i, c := range in.Nondeterministic {
		m.Nondeterministic = append(m.Nondeterministic,
			Nondeterminism{c.Node, id("chance", i, c.Action), c.Outcomes})
	}
	for i, u := range in.Untried {
		m.Untried = append(m.Untried, Untried{u.Node, id("untried pair", i, u.Action)})
	}
	if err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m, nil
}

// lines gathers output and the first error.
type lines struct {
	bytes []byte
	err   error
}

func (l *lines) printf(format string, args ...any) {
	l.bytes = fmt.Appendf(l.bytes, format,
		args...)
}

func list[T any](out *lines, key string, items []T, shape func(T) any) {
	out.printf(",\n %q: [", key)
	for i, item := range items {
		data, err := json.Marshal(shape(item))
		if err != nil {
			out.err = err
			return
		}
		if i > 0 {
			out.printf(",")
		}
		out.printf("\n  %s", data)
	}
	out.printf("]")
}

func notNil(p []Predicate) []Predicate {
	if p == nil {
		return []Predicate{}
	}
	return p
}
