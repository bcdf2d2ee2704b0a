package strips

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Validate reports the first thing that makes m malformed: indices out of range, overlapping masks,
// repeated nodes or names, actions without an operator or out of order, codes of the wrong length,
// malformed nondeterministic outcomes and untried pairs.
func (m *Model) Validate() error {
	if m.Predicates < 0 || m.Predicates > MaxPredicates {
		return fmt.Errorf("model: %d predicates, want 0 to %d", m.Predicates, MaxPredicates)
	}
	if err := m.validateNames(); err != nil {
		return err
	}
	if err := m.validateOperators(); err != nil {
		return err
	}
	for i, k := range m.States {
		if k.Node < 0 || i > 0 && k.Node <= m.States[i-1].Node {
			return fmt.Errorf("model: state %d: node %d is negative, repeated or out of order", i, k.Node)
		}
		if k.Code.Len() != m.Predicates {
			return fmt.Errorf("model: node %d: code has %d predicates, want %d", k.Node, k.Code.Len(),
				m.Predicates)
		}
	}
	for i, e := range m.Exceptions {
		if _, ok := m.Code(e.Node); !ok || !m.has(e.Action) {
			return fmt.Errorf("model: exception %d: node %d or action %d is not in the model", i, e.Node,
				e.Action)
		}
	}
	for i, s := range m.Slack {
		_, source := m.Code(s.Source)
		_, target := m.Code(s.Target)
		if !source || !target || !m.has(s.Action) || s.Predicate < 0 || int(s.Predicate) >= m.Predicates {
			return fmt.Errorf("model: slack %d: (%d, %d, %d, %d) is not in the model", i, s.Source, s.Action,
				s.Target, s.Predicate)
		}
	}
	for i, c := range m.Nondeterministic {
		if i > 0 && cmp.Or(cmp.Compare(m.Nondeterministic[i-1].Node, c.Node),
			cmp.Compare(m.Nondeterministic[i-1].Action, c.Action)) >= 0 {
			return fmt.Errorf("model: nondeterministic outcome %d: (%d, %d) is repeated or out of order", i,
				c.Node, c.Action)
		}
		if err := m.validateNondeterminism(c); err != nil {
			return fmt.Errorf("model: nondeterministic outcome %d: (%d, %d): %w", i, c.Node, c.Action, err)
		}
	}
	for i, u := range m.Untried {
		if _, known := m.Code(u.Node); !known || !m.has(u.Action) {
			return fmt.Errorf("model: untried pair %d: node %d or action %d is not in the model", i, u.Node,
				u.Action)
		}
	}
	return nil
}

// MaxActions bounds action ids, and MaxPredicates predicates, since searches keep a list of all of
// them.
const (
	MaxActions    = 1 << 20
	MaxPredicates = 1 << 20
)

func (m *Model) has(a ActionID) bool { return a >= 1 && int(a) <= m.Actions() }

// validateOperators asks for operators in the order of their actions, one name each. Of an action
// without operators nothing is known.
func (m *Model) validateOperators() error {
	names := map[string]ActionID{}
	last := ActionID(0)
	for i := range m.Operators {
		op := &m.Operators[i]
		if op.Action < max(last, 1) || op.Action > MaxActions {
			return fmt.Errorf("model: operator %d is of action %d, after one of action %d", i+1, op.Action,
				last)
		}
		if a, taken := names[op.Name]; taken && a != op.Action {
			return fmt.Errorf("model: actions %d and %d are both named %q", a, op.Action, op.Name)
		}
		if i > 0 && op.Action == last && op.Name != m.Operators[i-1].Name {
			return fmt.Errorf("model: action %d is named %q and %q", op.Action, m.Operators[i-1].Name,
				op.Name)
		}
		names[op.Name], last = op.Action, op.Action
		if err := op.validate(m.Predicates); err != nil {
			return fmt.Errorf("model: operator %d, action %d (%s): %w", i+1, op.Action, op.Name, err)
		}
	}
	return nil
}

func (m *Model) validateNondeterminism(c Nondeterminism) error {
	if _, known := m.Code(c.Node); !known || !m.has(c.Action) {
		return errors.New("the node or the action is not in the model")
	}
	if len(c.Outcomes) < 2 {
		return fmt.Errorf("%d outcomes, want several", len(c.Outcomes))
	}
	for i, o := range c.Outcomes {
		if _, known := m.Code(o.Target); !known || o.Count < 1 {
			return fmt.Errorf(
				"outcome %d: node %d, seen %d times: want a node of the model and a positive count", i,
				o.Target, o.Count)
		}
		if i > 0 && o.Target <= c.Outcomes[i-1].Target {
			return fmt.Errorf("outcome %d: node %d is repeated or out of order", i, o.Target)
		}
	}
	return nil
}

func (o *Operator) validate(m int) error {
	type mask struct {
		name       string
		predicates []Predicate
	}
	masks := []mask{{"pre_pos", o.PrePos}, {"pre_neg", o.PreNeg}, {"add", o.Add}, {"del", o.Del},
		{"toggle", o.Toggle}}
	for _, k := range masks {
		for i, p := range k.predicates {
			if p < 0 || int(p) >= m {
				return fmt.Errorf("%s: predicate %d is outside 0..%d", k.name, p, m-1)
			}
			if i > 0 && p <= k.predicates[i-1] {
				return fmt.Errorf("%s: predicate %d is repeated or out of order", k.name, p)
			}
		}
	}
	pre, effects := masks[:2], masks[2:]
	for _, group := range [][]mask{pre, effects} {
		for i, a := range group {
			for _, b := range group[i+1:] {
				if p, both := overlap(a.predicates, b.predicates); both {
					return fmt.Errorf("predicate %d is in %s and in %s", p, a.name, b.name)
				}
			}
		}
	}
	return nil
}

func overlap(a, b []Predicate) (Predicate, bool) {
	for _, p := range a {
		if slices.Contains(b, p) {
			return p, true
		}
	}
	return 0, false
}
