package check

import (
	"fmt"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Summary counts attempts by what the model says of them.
type Summary struct {
	Successes   int
	Explained   int       // refusals in intervals where a precondition fails
	Unknown     int       // refusals where none fails and one has no known value
	Unexplained []Refusal // all others
}

// Refusal is an attempt of an action that was refused.
type Refusal struct {
	Segment, Attempt int
	Action           strips.ActionID
}

// Model checks that operators have the effects that the predicates list, and that no predicate is
// both required and excluded; that facts whose actions need the value that they change are added
// and deleted in turn within each segment; that of the members of a derived predicate at most one
// holds, and that its value is their OR; and that the preconditions of each success hold wherever
// their values are known. Faults are in the order of the attempts.
func Model(segments [][]traces.Attempt, m *traces.Model) (Summary, []error) {
	c := &checker{m: m, operators: map[strips.ActionID][]*strips.Operator{}}
	c.shape()
	if len(c.faults) > 0 {
		return c.sum, c.faults
	}
	for s, segment := range segments {
		from := 0
		for i, a := range segment {
			if a.Outcome == traces.Failed || i == len(segment)-1 {
				c.segment(s, from, segment[from:i+1])
				from = i + 1
			}
		}
	}
	return c.sum, c.faults
}

type checker struct {
	m         *traces.Model
	operators map[strips.ActionID][]*strips.Operator // several where the effect depends on the state
	sum       Summary
	faults    []error
}

// value of a predicate in an interval.
type value int8

const (
	unknown value = iota
	yes
	no
	lost // unknown since an action changed it that may do several things
)

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Errorf("check: "+format, args...))
}

// shape checks the model by itself.
func (c *checker) shape() {
	for i := range c.m.Operators {
		o := &c.m.Operators[i]
		c.operators[o.Action] = append(c.operators[o.Action], o)
		for p := range c.m.Predicates {
			q := strips.Predicate(p)
			if slices.Contains(o.PrePos, q) && slices.Contains(o.PreNeg, q) {
				c.fault("action %d needs predicate %d to be true and false", o.Action, p)
			}
			if slices.Contains(o.Add, q) && !slices.Contains(c.m.Predicates[p].Add, o.Action) ||
				slices.Contains(o.Del, q) && !slices.Contains(c.m.Predicates[p].Del, o.Action) {
				c.fault("action %d and predicate %d disagree on the effect", o.Action, p)
			}
		}
		for _, q := range slices.Concat(o.PrePos, o.PreNeg, o.Add, o.Del) {
			if q < 0 || int(q) >= len(c.m.Predicates) {
				c.fault("action %d has predicate %d of %d", o.Action, q, len(c.m.Predicates))
			}
		}
	}
	for p, predicate := range c.m.Predicates {
		for _, l := range predicate.Members {
			if l.Predicate < 0 || int(l.Predicate) >= p {
				c.fault("derived predicate %d has member %d, not before it", p, l.Predicate)
			}
		}
		add := func(o *strips.Operator) []strips.Predicate { return o.Add }
		del := func(o *strips.Operator) []strips.Predicate { return o.Del }
		c.effects(strips.Predicate(p), predicate.Add, add)
		c.effects(strips.Predicate(p), predicate.Del, del)
	}
}

// effects checks that each of some actions has an operator with the effect.
func (c *checker) effects(p strips.Predicate, of []strips.ActionID,
	list func(*strips.Operator) []strips.Predicate,
) {
	for _, a := range of {
		has := func(o *strips.Operator) bool { return slices.Contains(list(o), p) }
		switch {
		case c.operators[a] == nil:
			c.fault("predicate %d has an effect of action %d, which has no operator", p, a)
		case !slices.ContainsFunc(c.operators[a], has):
			c.fault("action %d and predicate %d disagree on the effect", a, p)
		}
	}
}
