package check

import (
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
		pos, neg := c.preconditions(a.Action)
		fails, open := 0, 0
		for _, p := range pos {
			fails, open = count(values[now][p], no, fails, open)
		}
		for _, p := range neg {
			fails, open = count(values[now][p], yes, fails, open)
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
		if o := c.operators[a.Action]; o != nil {
			for _, p := range o.Add {
				c.change(all, p, no, number, first+i)
				next[p] = yes
			}
			for _, p := range o.Del {
				c.change(all, p, yes, number, first+i)
				next[p] = no
			}
		}
		all = append(all, next)
	}
	return all
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
