package main

import (
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// A vector is a string with a byte for each predicate, 0 or 1.

func key(values []bool) string {
	k := make([]byte, len(values))
	for i, v := range values {
		if v {
			k[i] = 1
		}
	}
	return string(k)
}

// known says whether all predicates are known in an interval.
func (b *bench) known(interval int) bool {
	for p := range b.result.Model.Predicates {
		if b.result.Value(strips.Predicate(p), interval) == traces.Unknown {
			return false
		}
	}
	return true
}

func (b *bench) values(interval int) []bool {
	values := make([]bool, len(b.result.Model.Predicates))
	for p := range values {
		values[p] = b.result.Value(strips.Predicate(p), interval) == traces.True
	}
	return values
}

func applies(o strips.Operator, vector string) bool {
	for _, p := range o.PrePos {
		if vector[p] == 0 {
			return false
		}
	}
	for _, p := range o.PreNeg {
		if vector[p] == 1 {
			return false
		}
	}
	return true
}

func apply(o strips.Operator, vector string) string {
	next := []byte(vector)
	for _, p := range o.Del {
		next[p] = 0
	}
	for _, p := range o.Add {
		next[p] = 1
	}
	return string(next)
}

// maxVectors bounds a search; the worlds have fewer states.
const maxVectors = 50_000

// plan is a shortest plan between vectors: a breadth-first search.
func plan(operators []strips.Operator, from, to string) (plan []strips.ActionID, ok bool) {
	type step struct {
		before string
		action strips.ActionID
	}
	came := map[string]step{from: {}}
	queue := []string{from}
	for len(queue) > 0 && len(came) < maxVectors {
		at := queue[0]
		queue = queue[1:]
		if at == to {
			for at != from {
				plan = append([]strips.ActionID{came[at].action}, plan...)
				at = came[at].before
			}
			return plan, true
		}
		for _, o := range operators {
			if !applies(o, at) {
				continue
			}
			next := apply(o, at)
			if _, ok := came[next]; !ok {
				came[next] = step{at, o.Action}
				queue = append(queue, next)
			}
		}
	}
	return nil, false
}
