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
	Actions          []actionJSON           `json:"actions"`
	States           []stateJSON            `json:"states"`
	Exceptions       []exceptionJSON        `json:"exceptions"`
	Slack            []slackJSON            `json:"slack"`
	Nondeterministic []nondeterministicJSON `json:"chances"`
	Untried          []untriedJSON          `json:"untried"`
}

type actionJSON struct {
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
// variants of one action. Of toggles, chances and untried pairs, what there is none of
// is left out.
// The same model gives the same bytes.
func (m *Model) WriteJSON(w io.Writer) error {
	if err := m.Validate(); err != nil {
		return err
	}
	var out lines
	out.printf("{\n \"predicates\": %d", m.Predicates)
	list(&out, "actions", m.Operators, func(o Operator) any {
		return actionJSON{o.Name, notNil(o.PrePos), notNil(o.PreNeg), notNil(o.Add), notNil(o.Del),
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
	m := &Model{Predicates: *in.Predicates}
	ids := map[string]ActionID{}
	id := ActionID(0)
	for i, a := range in.Actions {
		if i == 0 || a.Name != in.Actions[i-1].Name {
			id++
		}
		ids[a.Name] = id
		m.Operators = append(m.Operators, Operator{id, a.Name, a.PrePos, a.PreNeg, a.Add, a.Del,
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
	for i, e := range in.Exceptions {
		id, ok := ids[e.Action]
		if !ok {
			return nil, fmt.Errorf("model: exception %d: no action is named %q", i, e.Action)
		}
		m.Exceptions = append(m.Exceptions, Exception{e.Node, id, e.Shared})
	}
	for i, s := range in.Slack {
		id, ok := ids[s.Action]
		if !ok {
			return nil, fmt.Errorf("model: slack %d: no action is named %q", i, s.Action)
		}
		m.Slack = append(m.Slack, Slack{s.Source, id, s.Target, s.Predicate})
	}
	for i, c := range in.Nondeterministic {
		id, ok := ids[c.Action]
		if !ok {
			return nil, fmt.Errorf("model: chance %d: no action is named %q", i, c.Action)
		}
		m.Nondeterministic = append(m.Nondeterministic, Nondeterminism{c.Node, id, c.Outcomes})
	}
	for i, u := range in.Untried {
		id, ok := ids[u.Action]
		if !ok {
			return nil, fmt.Errorf("model: untried pair %d: no action is named %q", i, u.Action)
		}
		m.Untried = append(m.Untried, Untried{u.Node, id})
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
