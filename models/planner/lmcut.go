package planner

import (
	"math"

	"stripswm/models/strips"
)

// lmCut is the heuristic LM-cut (Helmert and Domshlak 2009), a lower bound on the steps to the
// goal: the sum of disjoint action landmarks. A state costs about as many passes over the
// operators as the bound is high.
type lmCut struct {
	*relaxed
	cost, left []int  // by operator: all of it, and what is not yet counted
	zone, seen []bool // by literal
	inCut      []bool // by operator
	stack      []strips.LiteralID
	cut        []int32
}

func newLMCut(r *relaxed) *lmCut {
	return &lmCut{relaxed: r, cost: r.unit(), left: make([]int, len(r.pre)),
		zone: make([]bool, len(r.value)),
		seen: make([]bool, len(r.value)), inCut: make([]bool, len(r.pre))}
}

// estimate is the bound, infinite where even the task without deletes has no solution.
func (h *lmCut) estimate(s strips.State) float64 {
	copy(h.left, h.cost)
	total := 0
	for {
		h.costs(s, h.left, false)
		switch h.value[h.goal()] {
		case unreachable:
			return math.Inf(1)
		case 0:
			return float64(total)
		}
		h.goalZone()
		h.landmark(s)
		least := unreachable
		for _, o := range h.cut {
			least = min(least, h.left[o])
		}
		for _, o := range h.cut {
			h.left[o] -= least
			h.inCut[o] = false
		}
		total += least
	}
}

// goalZone marks the literals from which operators without cost lead to the goal.
func (h *lmCut) goalZone() {
	clear(h.zone)
	h.zone[h.goal()] = true
	h.stack = append(h.stack[:0], h.goal())
	for len(h.stack) > 0 {
		l := h.pop()
		for _, o := range h.adders[l] {
			if from := h.supporter[o]; from >= 0 && h.left[o] == 0 && !h.zone[from] {
				h.zone[from] = true
				h.stack = append(h.stack, from)
			}
		}
	}
}

// landmark collects the operators that lead from what is reached outside the zone into it: every
// plan has one of them.
func (h *lmCut) landmark(s strips.State) {
	clear(h.seen)
	h.stack, h.cut = h.stack[:0], h.cut[:0]
	visit := func(l strips.LiteralID) {
		if !h.seen[l] && !h.zone[l] {
			h.seen[l] = true
			h.stack = append(h.stack, l)
		}
	}
	h.holding(s, visit)
	for len(h.stack) > 0 {
		l := h.pop()
		for _, o := range h.needs[l] {
			if h.supporter[o] != l {
				continue
			}
			for _, a := range h.add[o] {
				if h.zone[a] && !h.inCut[o] {
					h.inCut[o] = true
					h.cut = append(h.cut, o)
				}
			}
			if !h.inCut[o] {
				for _, a := range h.add[o] {
					visit(a)
				}
			}
		}
	}
}

func (h *lmCut) pop() strips.LiteralID {
	l := h.stack[len(h.stack)-1]
	h.stack = h.stack[:len(h.stack)-1]
	return l
}
