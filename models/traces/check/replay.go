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

// against counts the preconditions of an action that fail, and those of unknown value. The values
// of predicates that another action changes together with it are not those before it.
func (c *checker) against(a, with strips.ActionID, x []value) (fails, open int) {
	pos, neg := c.preconditions(a)
	for _, p := range pos {
		if !c.changes(with, p) {
			fails, open = count(x[p], no, fails, open)
		}
	}
	for _, p := range neg {
		if !c.changes(with, p) {
			fails, open = count(x[p], yes, fails, open)
		}
	}
	return fails, open
}

// changes says whether an action has an effect on a predicate.
func (c *checker) changes(a strips.ActionID, p strips.Predicate) bool {
	o := c.operators[a]
	return o != nil && (slices.Contains(o.Add, p) || slices.Contains(o.Del, p))
}

func count(is, bad value, fails, open int) (int, int) {
	switch is {
	case bad:
		return fails + 1, open
	case unknown:
		return fails, open + 1
	}
	return fails, open
}

func (c *checker) preconditions(a strips.ActionID) (pos, neg []strips.Predicate) {
	if o := c.operators[a]; o != nil {
		return o.PrePos, o.PreNeg
	}
	return nil, nil
}

// values returns those of every predicate in every interval of a segment: forward from each change,
// and backward from the first one.
func (c *checker) values(number, first int, attempts []traces.Attempt) [][]value {
	x := make([]value, len(c.m.Predicates))
	all := [][]value{x}
	for i, a := range attempts {
		if a.Outcome != traces.Succeeded {
			continue
		}
		next := append([]value(nil), all[len(all)-1]...)
		c.apply(all, next, a.Action, a.With, number, first+i)
		c.apply(all, next, a.With, a.Action, number, first+i)
		all = append(all, next)
	}
	return all
}

// apply sets what an action changes. A predicate that another action changes together with it
// stays, and has to change to another value by that one, if both need the value that they change.
// If they do not, it is unknown where they give it two values.
func (c *checker) apply(all [][]value, next []value, a, with strips.ActionID, number, attempt int) {
	o, other := c.operators[a], c.operators[with]
	if o == nil {
		return
	}
	set := func(p strips.Predicate, before, after value, needs, same []strips.Predicate) {
		strict := slices.Contains(needs, p)
		switch {
		case !c.changes(with, p):
			if strict {
				c.change(all, p, before, number, attempt)
			}
			next[p] = after
		case strict && slices.Contains(same, p):
			c.fault("segment %d, attempt %d: actions %d and %d change predicate %d to one value",
				number, attempt, a, with, p)
		case !strict && slices.Contains(same, p):
			next[p] = after
		case !strict:
			next[p] = unknown
		}
	}
	var add, del []strips.Predicate
	if other != nil {
		add, del = other.Add, other.Del
	}
	for _, p := range o.Add {
		set(p, no, yes, o.PreNeg, add)
	}
	for _, p := range o.Del {
		set(p, yes, no, o.PrePos, del)
	}
}

// change checks that a predicate had the value that the action changes, and sets it where it was
// not known.
func (c *checker) change(all [][]value, p strips.Predicate, before value, number, attempt int) {
	last := len(all) - 1
	if is := all[last][p]; is != unknown && is != before {
		c.fault("segment %d, attempt %d: predicate %d has the new value already", number, attempt, p)
	}
	for i := last; i >= 0 && all[i][p] == unknown; i-- {
		all[i][p] = before
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
