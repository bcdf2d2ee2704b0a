package exploration

import (
	"slices"

	"stripswm/models/strips"
	"stripswm/models/traces"
)

// history counts what happened. Actions are numbers from 0 here.
type history struct {
	actions            int
	segments           [][]traces.Attempt
	succeeded, refused []int  // by action
	before             []int  // by action: refusals before its first success
	streak             []int  // by action: refusals since its last success
	tried              []bool // by action: refused or skipped since the last success of any
	skipped            []int  // actions since then, at whose attempts nothing moved
	again              bool   // they were tried again
	successes          int
	after              [][2]float64 // by action of the last success and action: refused, succeeded
	due                []int32      // by pair of actions, see observe
	partner            []int        // by action: the one that undoes it, see undoes
	during             []int        // by pair of actions, see least
	recent
}

// recent is what happened last in the segment, in the present state or in one that a plan leads to.
type recent struct {
	latest int   // the action that succeeded last; -1 for none
	last   []int // by action: when it last succeeded, counted in successes from 1; 0 for never
	now    int
	effect []bool // by action: it succeeded, and its partner did not since
}

func (h *history) begin() {
	h.recent = recent{latest: -1, last: make([]int, h.actions), effect: make([]bool, h.actions)}
}

func newHistory(actions int) *history {
	h := &history{
		actions: actions, segments: [][]traces.Attempt{nil},
		succeeded: make([]int, actions), refused: make([]int, actions),
		before: make([]int, actions), streak: make([]int, actions), tried: make([]bool, actions),
		after: make([][2]float64, actions*actions), due: make([]int32, actions*actions),
		partner: slices.Repeat([]int{-1}, actions), during: make([]int, actions*actions),
	}
	h.begin()
	return h
}

// interrupt begins a segment: the state is unknown.
func (h *history) interrupt() {
	h.segments = append(h.segments, nil)
	h.begin()
	h.retry()
}

// observe adds an attempt. For each pair of actions it counts the successes that came after the
// other one's, as they do where one undoes the other; -1 says that one of them succeeded twice
// without the other.
func (h *history) observe(a int, o traces.Outcome) {
	s := len(h.segments) - 1
	h.segments[s] = append(h.segments[s], traces.Attempt{Action: action(a), Outcome: o})
	if o == traces.Failed {
		h.interrupt()
		return
	}
	if h.latest >= 0 {
		h.after[h.latest*h.actions+a][o2i(o)]++
	}
	if o == traces.Refused {
		h.refused[a]++
		h.streak[a]++
		h.tried[a] = true
		for b, in := range h.effect {
			if in {
				h.during[a*h.actions+b]++
			}
		}
		return
	}
	h.success(a, a)
}

// changed adds a change of the scene as successes of two actions change it together.
func (h *history) changed(by [2]strips.ActionID) {
	s := len(h.segments) - 1
	h.segments[s] = append(h.segments[s],
		traces.Attempt{Action: by[0], Outcome: traces.Succeeded, With: by[1]})
	h.success(int(by[0])-1, int(by[1])-1)
	h.success(int(by[1])-1, int(by[0])-1)
}

// success counts one of an action. Whether it came after one other action is unknown.
func (h *history) success(a, other int) {
	for b := range h.actions {
		x, y := a*h.actions+b, b*h.actions+a
		switch {
		case b == a || b == other || h.due[x] < 0:
		case h.last[a] > h.last[b]:
			h.due[x], h.due[y] = -1, -1
		case h.last[b] > 0:
			h.due[x]++
			h.due[y]++
		}
	}
	if h.succeeded[a] == 0 {
		h.before[a] = h.refused[a]
	}
	h.succeeded[a]++
	h.successes++
	h.streak[a] = 0
	h.retry()
	for b := range h.actions {
		h.partner[b] = h.undoes(b)
	}
	h.succeed(a, &h.recent)
}

// retry has every action be tried again.
func (h *history) retry() {
	clear(h.tried)
	h.skipped, h.again = nil, false
}

// retract makes an attempt a failed one.
func (h *history) retract(t *traces.Attempt) {
	switch a := int(t.Action) - 1; t.Outcome {
	case traces.Succeeded:
		h.succeeded[a]--
		h.successes--
	case traces.Refused:
		h.refused[a]--
	}
	t.Outcome = traces.Failed
}

// undoes is the action that alternated most often with another one, -1 for none.
func (h *history) undoes(a int) int {
	best, most := -1, int32(0)
	for b, n := range h.due[a*h.actions : (a+1)*h.actions] {
		if n > most {
			best, most = b, n
		}
	}
	return best
}

// least is the smallest number of refusals of an action while one action was in effect that is in
// effect now: where it is small, something holds with which it was hardly attempted.
func (h *history) least(a int, r *recent) int {
	least := h.refused[a]
	for b, in := range r.effect {
		if in {
			least = min(least, h.during[a*h.actions+b])
		}
	}
	return least
}

func o2i(o traces.Outcome) int {
	if o == traces.Succeeded {
		return 1
	}
	return 0
}

// succeed makes the action the last one.
func (h *history) succeed(a int, r *recent) {
	r.now++
	r.latest, r.last[a] = a, r.now
	r.effect[a] = true
	for b, p := range h.partner {
		if p == a {
			r.effect[b] = false
		}
	}
}

func (r recent) clone() recent {
	r.last, r.effect = slices.Clone(r.last), slices.Clone(r.effect)
	return r
}

// undone returns the largest number of alternations with an action that succeeded after a, and with
// one that did not: evidence that a was undone and that it was not.
func (h *history) undone(a int, r *recent) (yes, no int32) {
	if r.last[a] == 0 {
		return 0, 0
	}
	for b, due := range h.due[a*h.actions : (a+1)*h.actions] {
		if r.last[b] > r.last[a] {
			yes = max(yes, due)
		} else if b != a {
			no = max(no, due)
		}
	}
	return yes, no
}
