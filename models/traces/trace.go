package traces

import (
	"cmp"
	"fmt"
	"slices"

	"stripswm/models/internal/bitset"
	"stripswm/models/strips"
)

// event is a success: an action and the static interval that it ends. The next interval is the one
// after it. Two actions that changed the scene together are two events of unknown order: with is 1
// for the first, -1 for the second, and 0 for all other events.
type event struct{ action, before, with int32 }

// decided is an interval in which the action applied, as far as its values are known: between two
// actions that changed the scene together, those are known that neither changes.
func (e event) decided() int32 { return e.before + max(e.with, 0) }

// trace is what a recording says, in numbers. Actions count from 0 by falling number of successes,
// then by their first attempt, so that nothing depends on the ids that a robot happens to use.
// Static intervals count through all segments; a segment with n successes has n + 1.
type trace struct {
	ids       []strips.ActionID // by action
	index     []int             // by id, from 1: the action
	events    []event
	starts    []int32   // the first interval of each segment, and the number of intervals
	occurs    [][]int32 // by action: its events
	once      []bool    // by action: it never succeeds twice between resets, of which there are some
	between   set       // intervals between two actions that changed the scene together, or nil
	refused   [][]int32 // by action: the intervals in which it was refused, each once
	intervals int
	// by segment and attempt as they were given: the intervals before and after it
	before, after [][]int
}

// readTrace numbers the attempts. A failed attempt ends a segment, as what holds after it is
// unknown. Where one variant of a skill succeeds or is refused, the others do not apply.
func readTrace(actions int, segments [][]Attempt, variants []strips.ActionID) *trace {
	index := numbering(actions, segments)
	t := &trace{ids: make([]strips.ActionID, actions), index: index}
	t.occurs, t.refused = make([][]int32, actions), make([][]int32, actions)
	t.once = onceBetweenResets(index, segments)
	for id, a := range index {
		t.ids[a] = strips.ActionID(id + 1)
	}
	family := families(index, variants)
	refuse := func(a, but int) {
		now := int32(t.intervals - 1)
		for _, v := range family[a] {
			if r := t.refused[v]; v != but && (len(r) == 0 || r[len(r)-1] != now) {
				t.refused[v] = append(r, now)
			}
		}
	}
	for _, segment := range segments {
		begin := true // what follows is a segment of its own
		var before, after []int
		for _, at := range segment {
			if begin {
				t.starts = append(t.starts, int32(t.intervals))
				t.intervals++
			}
			begin = at.Outcome == Failed
			before = append(before, t.intervals-1)
			a := index[at.Action-1]
			switch at.Outcome {
			case Succeeded:
				if at.With == 0 {
					refuse(a, a)
					t.add(a, 0)
					break
				}
				t.add(a, 1)
				t.add(index[at.With-1], -1)
			case Refused:
				refuse(a, -1)
			}
			after = append(after, t.intervals-1)
		}
		t.before, t.after = append(t.before, before), append(t.after, after)
	}
	t.starts = append(t.starts, int32(t.intervals))
	for _, ev := range t.events {
		if ev.with > 0 {
			if t.between == nil {
				t.between = bitset.New(t.intervals)
			}
			t.between.Set(int(ev.decided()))
		}
	}
	return t
}

// onceBetweenResets says which actions never succeed twice in a segment, and succeed in several.
func onceBetweenResets(index []int, segments [][]Attempt) []bool {
	once, in := make([]bool, len(index)), make([]int, len(index))
	most := make([]int, len(index))
	for _, segment := range segments {
		here := map[int]int{}
		for _, at := range segment {
			if at.Outcome == Succeeded {
				here[index[at.Action-1]]++
				if at.With > 0 {
					here[index[at.With-1]]++
				}
			}
		}
		for a, n := range here {
			in[a], most[a] = in[a]+1, max(most[a], n)
		}
	}
	for a := range once {
		once[a] = most[a] == 1 && in[a] > 1
	}
	return once
}

// add adds a success, which begins an interval.
func (t *trace) add(a int, with int32) {
	t.occurs[a] = append(t.occurs[a], int32(len(t.events)))
	t.events = append(t.events, event{int32(a), int32(t.intervals - 1), with})
	t.intervals++
}

// valid says which attempt or shown fact is not one of the robot's.
func valid(actions int, segments [][]Attempt, o Options) error {
	for i, skill := range o.Variants {
		if skill < 1 || int(skill) > actions {
			return fmt.Errorf("traces: variant %d is of action %d, not one of 1 to %d", i, skill, actions)
		}
	}
	actions += len(o.Variants)
	for s, segment := range segments {
		for i, at := range segment {
			if at.Action < 1 || int(at.Action) > actions {
				return fmt.Errorf("traces: segment %d, attempt %d: action %d is not one of 1 to %d: "+
					"give the number of actions that the robot has", s, i, at.Action, actions)
			}
			if at.Outcome < Succeeded || at.Outcome > Failed {
				return fmt.Errorf("traces: segment %d, attempt %d: outcome %d is unknown: "+
					"want succeeded, refused or failed", s, i, at.Outcome)
			}
			if at.With != 0 && (at.With < 1 || int(at.With) > actions || at.With == at.Action ||
				at.Outcome != Succeeded) {
				return fmt.Errorf("traces: segment %d, attempt %d: action %d with %d: want two "+
					"actions of 1 to %d that succeeded", s, i, at.Action, at.With, actions)
			}
		}
	}
	for k, f := range o.Shown {
		known := map[strips.ActionID]bool{}
		for _, a := range slices.Concat(f.Set, f.Clear, f.Doubt) {
			if a < 1 || int(a) > actions || known[a] {
				return fmt.Errorf("traces: shown fact %d: actions %v, %v and %v: want some of "+
					"1 to %d, each once", k, f.Set, f.Clear, f.Doubt, actions)
			}
			known[a] = true
		}
	}
	return nil
}

// numbering returns the number of each action id.
func numbering(actions int, segments [][]Attempt) []int {
	successes, first, n := make([]int, actions), make([]int, actions), 0
	for _, segment := range segments {
		for _, at := range segment {
			n++
			if first[at.Action-1] == 0 {
				first[at.Action-1] = n
			}
			if at.Outcome == Succeeded {
				successes[at.Action-1]++
			}
			if at.With > 0 {
				successes[at.With-1]++
			}
		}
	}
	order := make([]int, actions)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		return cmp.Or(successes[y]-successes[x], first[x]-first[y])
	})
	index := make([]int, actions)
	for a, id := range order {
		index[id] = a
	}
	return index
}

// segment is the segment of an event: every earlier one has one interval more than events.
func (t *trace) segment(e int32) int32 { return t.events[e].before - e }

// idle says whether the i-th of some events and the next one are all of them in their segment, and
// one is of an action that succeeds once between resets. Two such events alternate in either order,
// and cannot but be two, so they are no evidence: otherwise any two lids that are opened once
// between resets would be a fact. That all have one order is none, either, since one skill may just
// come sooner after a reset than another.
func (t *trace) idle(events []int32, i int) bool {
	within := func(k int) bool {
		return k >= 0 && k < len(events) && t.segment(events[k]) == t.segment(events[i])
	}
	return !within(i-1) && within(i+1) && !within(i+2) &&
		(t.once[t.events[events[i]].action] || t.once[t.events[events[i+1]].action])
}

// merged lists the events of these actions in order.
func (t *trace) merged(actions []int, into []int32) []int32 {
	into = into[:0]
	for _, a := range actions {
		into = append(into, t.occurs[a]...)
	}
	slices.Sort(into)
	return into
}

// cancel leaves out two events of one change whose actions have two signs: what one adds and the
// other deletes stays.
func (t *trace) cancel(events []int32, same func(x, y int32) bool) []int32 {
	if t.between == nil {
		return events
	}
	kept := events[:0]
	for i := 0; i < len(events); i++ {
		e := events[i]
		if x := t.events[e]; x.with == 1 && i+1 < len(events) && events[i+1] == e+1 &&
			!same(x.action, t.events[e+1].action) {
			i++
			continue
		}
		kept = append(kept, e)
	}
	return kept
}
