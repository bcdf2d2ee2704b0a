package check

import (
	"slices"

	"stripswm/models/strips"
	"stripswm/models/traces"
)

// segment replays attempts between which nothing else changed the world.
func (c *checker) segment(number, first int, attempts []traces.Attempt) {
	values := c.values(number, first, attempts)
	for i, x := range values {
		c.derived(number, i, x)
	}
	now := 0
	for i, a := range attempts {
		fails, open := c.against(a.Action, a.With, values[now])
		if a.With > 0 {
			more, _ := c.against(a.With, a.Action, values[now])
			fails += more
			c.sum.Successes++
		}
		switch a.Outcome {
		case traces.Succeeded:
			c.sum.Successes++
			if fails > 0 {
				c.fault("segment %d, attempt %d: action %d succeeded against %d preconditions",
					number, first+i, a.Action, fails)
			}
			now++
		case traces.Refused:
			switch {
			case fails > 0:
				c.sum.Explained++
			case open > 0:
				c.sum.Unknown++
			default:
				c.sum.Unexplained = append(c.sum.Unexplained, Refusal{number, first + i, a.Action})
			}
		}
	}
}

// against counts the preconditions of an action that fail, and those of unknown value; of several
// operators, of the one against which least is known. The values of predicates that another action
// changes together with it are not those before it.
func (c *checker) against(a, with strips.ActionID, x []value) (fails, open int) {
	for i, o := range c.operators[a] {
		f, u := c.unmet(o, with, x)
		if i == 0 || f < fails || f == fails && u < open {
			fails, open = f, u
		}
	}
	return fails, open
}

// unmet is against of one operator.
func (c *checker) unmet(o *strips.Operator, with strips.ActionID, x []value) (fails, open int) {
	for _, p := range o.PrePos {
		if !c.changes(with, p) {
			fails, open = count(x[p], no, fails, open)
		}
	}
	for _, p := range o.PreNeg {
		if !c.changes(with, p) {
			fails, open = count(x[p], yes, fails, open)
		}
	}
	return fails, open
}

// changes says whether an action has an effect on a predicate.
func (c *checker) changes(a strips.ActionID, p strips.Predicate) bool {
	return slices.ContainsFunc(c.operators[a], func(o *strips.Operator) bool {
		return slices.Contains(o.Add, p) || slices.Contains(o.Del, p)
	})
}

func count(is, bad value, fails, open int) (int, int) {
	switch is {
	case bad:
		return fails + 1, open
	case unknown, lost:
		return fails, open + 1
	}
	return fails, open
}

// values returns those of every predicate in every interval of a segment: forward from each change,
// and backward from what a success needs.
func (c *checker) values(number, first int, attempts []traces.Attempt) [][]value {
	x := make([]value, len(c.m.Predicates))
	all := [][]value{x}
	for i, a := range attempts {
		if a.Outcome != traces.Succeeded {
			continue
		}
		next := append([]value(nil), all[len(all)-1]...)
		for p, v := range next {
			if v == lost {
				next[p] = unknown
			}
		}
		c.apply(all, next, a.Action, a.With, number, first+i)
		c.apply(all, next, a.With, a.Action, number, first+i)
		all = append(all, next)
	}
	return all
}

// apply sets what an action changes: what those of its operators do that nothing known speaks
// against, unknown where they differ. A predicate that another action changes together with it
// stays, and has to change to another value by that one, if both need the value that they change.
// If they do not, it is unknown where they give it two values.
func (c *checker) apply(all [][]value, next []value, a, with strips.ActionID, number, attempt int) {
	var possible []*strips.Operator
	for _, o := range c.operators[a] {
		if fails, _ := c.unmet(o, with, all[len(all)-1]); fails == 0 || len(c.operators[a]) == 1 {
			possible = append(possible, o)
		}
	}
	switch {
	case len(possible) == 1:
		c.applyOne(all, next, possible[0], with, number, attempt)
	case len(possible) > 1:
		for p := range next {
			if q := strips.Predicate(p); c.changes(a, q) {
				next[p] = lost
			}
		}
	}
}

func (c *checker) applyOne(all [][]value, next []value, o *strips.Operator, with strips.ActionID,
	number, attempt int,
) {
	need := func(of []strips.Predicate, needed value) {
		for _, p := range of {
			if c.changes(with, p) {
				continue
			}
			c.settle(all, p, needed)
			if next[p] == unknown {
				next[p] = needed
			}
		}
	}
	need(o.PrePos, yes)
	need(o.PreNeg, no)
	set := func(p strips.Predicate, before, after value, needs []strips.Predicate, adds bool) {
		same := slices.ContainsFunc(c.operators[with], func(x *strips.Operator) bool {
			return slices.Contains(x.Add, p) && adds || slices.Contains(x.Del, p) && !adds
		})
		strict := slices.Contains(needs, p)
		switch {
		case !c.changes(with, p):
			if strict {
				c.change(all, p, before, number, attempt)
			}
			next[p] = after
		case strict && same:
			c.fault("segment %d, attempt %d: actions %d and %d change predicate %d to one value",
				number, attempt, o.Action, with, p)
		case !strict && same:
			next[p] = after
		case !strict:
			next[p] = lost
		}
	}
	for _, p := range o.Add {
		set(p, no, yes, o.PreNeg, true)
	}
	for _, p := range o.Del {
		set(p, yes, no, o.PrePos, false)
	}
}

// change checks that a predicate had the value that the action changes.
func (c *checker) change(all [][]value, p strips.Predicate, before value, number, attempt int) {
	if is := all[len(all)-1][p]; is != before {
		c.fault("segment %d, attempt %d: predicate %d has the new value already", number, attempt, p)
	}
}

// settle sets the value that a success needs where it was not known, back to where it changed.
func (c *checker) settle(all [][]value, p strips.Predicate, needed value) {
	for i := len(all) - 1; i >= 0; i-- {
		is := all[i][p]
		if is != unknown && is != lost {
			return
		}
		if all[i][p] = needed; is == lost {
			return
		}
	}
}

// derived compares the derived predicates with their members.
func (c *checker) derived(number, interval int, x []value) {
	for p, predicate := range c.m.Predicates {
		if predicate.Members == nil {
			continue
		}
		hold, open := 0, 0
		for _, l := range predicate.Members {
			good := yes
			if l.Negated {
				good = no
			}
			hold, open = count(x[l.Predicate], good, hold, open)
		}
		switch {
		case hold > 1:
			c.fault("segment %d, interval %d: %d members of derived predicate %d hold",
				number, interval, hold, p)
		case x[p] == yes && hold+open == 0, x[p] == no && hold > 0:
			c.fault("segment %d, interval %d: derived predicate %d is not the or of its members",
				number, interval, p)
		}
	}
}
