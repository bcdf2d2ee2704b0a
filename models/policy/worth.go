package policy

import (
	"stripswm/models/internal/bitset"
	"stripswm/models/strips"
)

// set is a set of nodes.
type set = bitset.Of[strips.StateID]

// reachability is, for each node of the region, the nodes of it that it can be left for, and those
// it can be reached from, itself among both.
type reachability struct{ to, from []set }

func (c *Chooser) reachability() reachability {
	n := len(c.memory.codes)
	w := reachability{make([]set, n), make([]set, n)}
	for s := range strips.StateID(n) {
		w.to[s], w.from[s] = bitset.Make[strips.StateID](n), bitset.Make[strips.StateID](n)
	}
	for s := range strips.StateID(n) {
		_, _, order := c.memory.paths(s, c.ever)
		for _, t := range order {
			if c.inside(s) && c.inside(t) {
				w.to[s].Set(t)
				w.from[t].Set(s)
			}
		}
	}
	return w
}

// gain is how many ordered pairs of nodes more have a path, if there is an edge from s to t.
func (w reachability) gain(s, t strips.StateID) int {
	if w.to[s].Has(t) {
		return 0
	}
	before := w.from[s].Count() - w.from[s].Common(w.from[t])
	return before * (w.to[t].Count() - w.to[t].Common(w.to[s]))
}

// worth of a pair, if it applies. While the region has room, all are worth the same: what shows new
// states soonest shows most ways, too. Then it is how many pairs of nodes have a path more, and one
// for the edge itself, where the operators say what it leads to; nothing, where that is none of the
// region's. Of static intervals an action shows the less the more often it has applied: nobody can
// tell where it led, and two that undo each other would be carried out in turn.
func (c *Chooser) worth(w reachability, p pair) float64 {
	if c.options.Intervals {
		return 1 / float64(1+c.memory.ok[p.action-1])
	}
	if c.room() {
		return 1
	}
	target, outside, told := c.predicted(p)
	switch {
	case !told:
		among, known := 0.0, 0
		for t := range strips.StateID(len(c.memory.codes)) {
			if c.inside(t) {
				among += float64(w.gain(p.state, t))
				known++
			}
		}
		return 1 + among/float64(known)
	case outside:
		return 0
	}
	return 1 + float64(w.gain(p.state, target))
}

// room says whether the region has room for a state more.
func (c *Chooser) room() bool {
	return c.options.Within == 0 || len(c.memory.codes) < c.options.Within
}
