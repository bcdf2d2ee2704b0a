package check

import (
	"fmt"

	"stripswm/models/strips"
)

// nondeterministic outcomes compares what the model calls nondeterministic with the pairs that the
// graph shows to lead to several codes.
func (c *checker) nondeterministic() {
	counts := map[Pair]map[strips.StateID]int{}
	codes := map[Pair]map[string]bool{}
	for _, e := range c.g.Edges {
		pair := Pair{e.Source, e.Action}
		if counts[pair] == nil {
			counts[pair], codes[pair] = map[strips.StateID]int{}, map[string]bool{}
		}
		counts[pair][e.Target] += e.Support
		codes[pair][fmt.Sprint(c.code[e.Target])] = true
	}
	c.byNondeterminism = map[Pair]bool{}
	for _, outcome := range c.m.Nondeterministic {
		pair := Pair{outcome.Node, outcome.Action}
		if c.byNondeterminism[pair] {
			c.fault("nondeterministic outcome (%d, %d) is listed twice", pair.State, pair.Action)
		}
		c.byNondeterminism[pair] = true
		if len(codes[pair]) < 2 {
			c.fault("nondeterministic outcome (%d, %d) was not seen to lead to several codes", pair.State,
				pair.Action)
		}
		listed := map[strips.StateID]int{}
		for _, o := range outcome.Outcomes {
			listed[o.Target] += o.Count
			if n := counts[pair][o.Target]; n != o.Count {
				c.fault("nondeterministic outcome (%d, %d): seen %d times to lead to node %d, want %d",
					pair.State, pair.Action, o.Count, o.Target, n)
			}
		}
		if len(listed) != len(counts[pair]) || len(listed) != len(outcome.Outcomes) {
			c.fault("nondeterministic outcome (%d, %d): %d outcomes, want %d", pair.State, pair.Action,
				len(outcome.Outcomes), len(counts[pair]))
		}
	}
	paid := map[Pair]bool{}
	for _, s := range c.m.Slack {
		paid[Pair{s.Source, s.Action}] = true
	}
	for i, e := range c.g.Edges {
		pair := Pair{e.Source, e.Action}
		if first := i == 0 || (Pair{c.g.Edges[i-1].Source, c.g.Edges[i-1].Action}) != pair; first &&
			len(codes[pair]) > 1 && !c.byNondeterminism[pair] && !paid[pair] {
			c.fault("(%d, %s) was seen to lead to %d codes and is not nondeterministic", e.Source,
				c.g.Labels[e.Action-1], len(codes[pair]))
		}
	}
}

// Distinct checks that nodes have different codes, but for those of one group, which
// may share theirs: nodes that the recording shows to be one state. Without groups
// every node needs a code of its own.
func Distinct(m *strips.Model, groups [][]strips.StateID) (faults []error) {
	group := map[strips.StateID]int{}
	for i, nodes := range groups {
		for _, s := range nodes {
			group[s] = i + 1
		}
	}
	first := map[string]strips.StateID{}
	for _, k := range m.States {
		code := k.Code.String()
		s, taken := first[code]
		if !taken {
			first[code] = k.Node
		} else if group[s] == 0 || group[s] != group[k.Node] {
			faults = append(faults,
				fmt.Errorf("nodes %d and %d have the same code %s and are not known to be one state", s, k.Node,
					code))
		}
	}
	return faults
}
