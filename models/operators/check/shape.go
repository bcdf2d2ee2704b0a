package check

import (
	"fmt"

	"stripswm/models/strips"
)

func (c *checker) shape() error {
	if len(c.m.States) != len(c.g.Nodes) {
		return fmt.Errorf("the model has %d states, the graph %d", len(c.m.States), len(c.g.Nodes))
	}
	for i, k := range c.m.States {
		if int(k.Node) != i || k.Code.Len() != c.m.Predicates {
			return fmt.Errorf("state %d of the model is node %d with %d predicates, want node %d with %d", i,
				k.Node, k.Code.Len(), i, c.m.Predicates)
		}
		x := make([]bool, c.m.Predicates)
		for p := range x {
			x[p] = k.Code.String()[p] == '1'
		}
		c.code = append(c.code, x)
	}
	c.byAction = make([][]masks, len(c.g.Labels))
	for i, op := range c.m.Operators {
		if op.Action < 1 || int(op.Action) > len(c.g.Labels) {
			return fmt.Errorf("operator %d of the model is of action %d, want 1..%d", i+1, op.Action,
				len(c.g.Labels))
		}
		if label := c.g.Labels[op.Action-1]; op.Name != label {
			return fmt.Errorf("operator %d of the model is of action %d %q, want %q", i+1, op.Action,
				op.Name, label)
		}
		if i > 0 && op.Action < c.m.Operators[i-1].Action {
			return fmt.Errorf("operator %d of the model is of action %d, after one of action %d", i+1,
				op.Action, c.m.Operators[i-1].Action)
		}
		k, err := c.spread(op)
		if err != nil {
			return err
		}
		c.byAction[op.Action-1] = append(c.byAction[op.Action-1], k)
	}
	for a, variants := range c.byAction {
		if len(variants) == 0 {
			return fmt.Errorf("the model has no operator for action %d %q", a+1, c.g.Labels[a])
		}
	}
	return nil
}

// spread gives an operator's masks a value for each predicate.
func (c *checker) spread(op strips.Operator) (k masks, err error) {
	for _, spread := range []struct {
		to   *[]bool
		from []strips.Predicate
	}{{&k.pos, op.PrePos}, {&k.neg, op.PreNeg}, {&k.add, op.Add}, {&k.del, op.Del},
		{&k.toggle, op.Toggle}} {
		*spread.to = make([]bool, c.m.Predicates)
		for _, p := range spread.from {
			if p < 0 || int(p) >= c.m.Predicates {
				return k, fmt.Errorf("action %s: predicate %d is outside 0..%d", op.Name, p, c.m.Predicates-1)
			}
			(*spread.to)[p] = true
		}
	}
	return k, nil
}

func (c *checker) masks() {
	for a, variants := range c.byAction {
		for _, k := range variants {
			for p := range c.m.Predicates {
				if k.add[p] && k.del[p] {
					c.fault("action %s both adds and deletes predicate %d", c.g.Labels[a], p)
				}
				if k.toggle[p] && (k.add[p] || k.del[p]) {
					c.fault("action %s both toggles and sets predicate %d", c.g.Labels[a], p)
				}
				if k.pos[p] && k.neg[p] {
					c.fault("action %s both requires and forbids predicate %d", c.g.Labels[a], p)
				}
				c.sum.Effects += count(k.add[p]) + count(k.del[p]) + count(k.toggle[p])
				c.sum.Preconditions += count(k.pos[p]) + count(k.neg[p])
			}
		}
	}
}

func count(v bool) int {
	if v {
		return 1
	}
	return 0
}
