package policy

import (
	"math"

	"stripswm/models/strips"
)

// survival counts how an action's applicability fares when another one is carried out.
type survival struct {
	kept, held       float64 // it applied before: still after, of all
	enabled, refused float64 // it was refused before: applies after, of all
}

func (s *survival) add(before, after verdict) {
	now := 0.0
	if after == applied {
		now = 1
	}
	if before == applied {
		s.kept, s.held = s.kept+now, s.held+1
	} else {
		s.enabled, s.refused = s.enabled+now, s.refused+1
	}
}

// survivals are counts for each action by each that was carried out, and of all together,
// which a pair of actions is taken to be like while little is known of it.
type survivals struct {
	all survival
	of  map[[2]strips.ActionID]*survival
}

// likeAll is how many observations of a pair of actions weigh as much as those of all.
const likeAll = 2

// learn adds what the verdict on a pair shows beside those of its neighbours.
func (v *survivals) learn(m *memory, p pair) {
	add := func(by strips.ActionID, before, after verdict) {
		if before == untried || after == untried {
			return
		}
		key := [2]strips.ActionID{p.action, by}
		if v.of[key] == nil {
			v.of[key] = &survival{}
		}
		v.of[key].add(before, after)
		v.all.add(before, after)
	}
	for _, e := range m.in[p.state] {
		add(e.by, m.verdicts[pair{e.other, p.action}], m.verdicts[p])
	}
	for _, e := range m.out[p.state] {
		add(e.by, m.verdicts[p], m.verdicts[pair{e.other, p.action}])
	}
}

// logOdds are those that a pair applies, by how often its action does anywhere and by what it did
// at the neighbours of its node, each classified as evidence of its own. Most of what a skill needs
// is left alone by another skill, so that the verdict on a neighbour is telling; how telling is
// what is counted. Across an edge against its direction the same ratio holds if edges are walked
// about as often one way as the other.
func (v *survivals) logOdds(m *memory, p pair) float64 {
	rate := m.rateOf(p.action)
	sum := math.Log(rate / (1 - rate))
	keep, enable := (v.all.kept+1)/(v.all.held+2), (v.all.enabled+m.rate())/(v.all.refused+1)
	add := func(by strips.ActionID, neighbour verdict) {
		if neighbour == untried {
			return
		}
		s := survival{}
		if known := v.of[[2]strips.ActionID{p.action, by}]; known != nil {
			s = *known
		}
		kept := (s.kept + likeAll*keep) / (s.held + likeAll)
		enabled := (s.enabled + likeAll*enable) / (s.refused + likeAll)
		if neighbour == applied {
			sum += math.Log(kept / enabled)
		} else {
			sum += math.Log((1 - kept) / (1 - enabled))
		}
	}
	for _, e := range m.in[p.state] {
		add(e.by, m.verdicts[pair{e.other, p.action}])
	}
	for _, e := range m.out[p.state] {
		add(e.by, m.verdicts[pair{e.other, p.action}])
	}
	return sum
}

// rateOf is the share of the pairs of an action tried that applied, one more of which is taken to
// be like all.
func (m *memory) rateOf(a strips.ActionID) float64 {
	ok, no := float64(m.ok[a-1]), float64(m.no[a-1])
	return (ok + m.rate()) / (ok + no + 1)
}

// rate is the share of all pairs tried that applied, between what a skill's being tried
// once with success and once without would say and nothing.
func (m *memory) rate() float64 {
	ok, all := 0.5, 1.0
	for i := range m.ok {
		ok += float64(m.ok[i])
		all += float64(m.ok[i] + m.no[i])
	}
	return ok / (all + 1)
}
