package traces

import (
	"fmt"
	"math"
)

// widening is how many actions more a region may have than a found one that it contains. A world
// ten times as large does not change how often a fact is changed by two actions mainly.
const widening = 2

// widened are the regions that contain a found one.
type widened struct {
	actions, events int // of the found one
	found           []*region
	keys            map[string]bool
}

// widen searches for regions beyond minimal support: those that contain a found region and one or
// two actions more. Two actions that undo each other alternate for a long time although others
// change the fact as well, as when a door is locked and unlocked from one side mainly: that is only
// a part of the fact. The actions that are added do not alternate by themselves: otherwise both
// together are a union. That holds also where they succeeded too seldom to be a fact, such as at a
// place that is hardly used. The union would explain all that the fact does, and take its place.
func (m *miner) widen(limit int) []*region {
	m.seed = -1
	m.wider = &widened{keys: map[string]bool{}}
	for _, r := range m.found {
		m.wider.actions = len(r.effects)
		for _, e := range r.effects {
			m.sign[e.action], m.base[e.action] = -1, true
			if e.adds {
				m.sign[e.action] = 1
			}
			m.support = append(m.support, e.action)
		}
		m.scratch = m.events()
		m.wider.events = len(m.scratch)
		m.limit = min(limit, len(r.effects)+widening)
		for x := range m.sign {
			for k, sign := range []int8{-1, 1} {
				if m.sign[x] == 0 && len(m.t.occurs[x]) > 0 && m.work.left >= 0 {
					m.try(x, sign)
					m.excluded[k][x]++
				}
			}
		}
		m.support = m.support[:0]
		for x := range m.sign {
			m.sign[x], m.base[x], m.excluded[0][x], m.excluded[1][x] = 0, false, 0, 0
		}
	}
	return m.wider.found
}

// accept keeps the region of the signs, if the events of the actions that were added are more
// evidence than it takes to name these actions, and the found region that they are added to.
func (w *widened) accept(m *miner) {
	n := len(m.t.ids)
	key := fmt.Sprint(m.sign)
	added, more := alternation(len(m.scratch)-w.events), len(m.support)-w.actions
	price := math.Log(float64(len(m.found))) + logChoose(n-w.actions, more) + float64(more)*math.Ln2
	if w.keys[key] || w.union(m) || added <= price {
		return
	}
	w.keys[key] = true
	r := m.region()
	r.wide = true
	w.found = append(w.found, r)
}

// union says whether the actions that were added alternate by themselves.
func (w *widened) union(m *miner) bool {
	var added []int
	for _, a := range m.support {
		if !m.base[a] {
			added = append(added, a)
		}
	}
	events := m.t.cancel(m.t.merged(added, nil),
		func(x, y int32) bool { return m.sign[x] == m.sign[y] })
	m.work.spend(len(events))
	for i := 1; i < len(events); i++ {
		x, y := m.t.events[events[i-1]], m.t.events[events[i]]
		if m.t.segment(events[i-1]) == m.t.segment(events[i]) && m.sign[x.action] == m.sign[y.action] {
			return false
		}
	}
	return len(added) > 1
}
