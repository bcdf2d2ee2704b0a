package facts

import (
	"context"
	"slices"

	"stripswm/models/effects"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// setKinds splits the successes of each skill by what they change.
func (h *changes) setKinds(ctx context.Context) error {
	h.kinds = map[strips.ActionID][]int{}
	all, images := h.attempts(h.recording.Segments)
	found, err := effects.Kinds(ctx, all, effects.Options{Channels: 3, Width: h.side})
	if err != nil {
		return err
	}
	of := map[[2]int]int{}
	for i, kind := range found {
		of[images[i]] = kind
	}
	for a, events := range h.of {
		for _, k := range events {
			kind, known := of[h.images[k]]
			if !known {
				kind = -1
			}
			h.kinds[a] = append(h.kinds[a], kind)
		}
	}
	return nil
}

// ofKinds are the events of a skill, by kind.
func (h *changes) ofKinds(a strips.ActionID) [][]int {
	all := make([][]int, slices.Max(h.kinds[a])+1)
	for i, kind := range h.kinds[a] {
		if kind >= 0 {
			all[kind] = append(all[kind], h.of[a][i])
		}
	}
	return all
}

// unforetold are the kinds of a skill's successes that no predicate tells from some other kind, by
// its value before: what the skill does depends on something that is no fact.
func (h *changes) unforetold(a strips.ActionID) (kinds [][]int) {
	all := h.ofKinds(a)
	told := make([]bool, len(all))
	for i := range all {
		told[i] = true
	}
	for i := range all {
		for k := range i {
			if !h.tellsApart(all[i], all[k]) {
				told[i], told[k] = false, false
			}
		}
	}
	for i, events := range all {
		if !told[i] {
			kinds = append(kinds, events)
		}
	}
	return kinds
}

// tellsApart says whether some predicate is true before most of some events and false before most
// of the others, where its value is known.
func (h *changes) tellsApart(x, y []int) bool {
	for p := range h.result.Model.Predicates {
		count := func(events []int) (yes, no int) {
			for _, k := range events {
				switch h.result.Value(strips.Predicate(p), h.shows[h.images[k][0]]) {
				case traces.True:
					yes++
				case traces.False:
					no++
				}
			}
			return yes, no
		}
		xYes, xNo := count(x)
		yYes, yNo := count(y)
		known := 2*(xYes+xNo) >= len(x) && 2*(yYes+yNo) >= len(y)
		most := func(a, b int) bool { return float64(b) <= wrongKinds*float64(a+b) }
		if known && (most(xYes, xNo) && most(yNo, yYes) || most(xNo, xYes) && most(yYes, yNo)) {
			return true
		}
	}
	return false
}

// kinds are ids for what skills do: a skill that does several things has its own id for one of
// them, and ids beyond those of the robot for the others.
type kinds struct {
	actions  int               // of the robot
	variants []strips.ActionID // the skill of each id beyond
	// by the images of a success, of skills with kinds; 0: it is of none
	ids map[[2]int]strips.ActionID
}

// kindsOf gives ids to the kinds of the skills that a model leaves unforetold.
func (h *changes) kindsOf(x *explained, actions int) kinds {
	k := kinds{actions: actions, ids: map[[2]int]strips.ActionID{}}
	for _, u := range x.found {
		if len(h.unforetold(u.Action)) == 0 {
			continue
		}
		ids := []strips.ActionID{u.Action}
		for range slices.Max(h.kinds[u.Action]) {
			k.variants = append(k.variants, u.Action)
			ids = append(ids, strips.ActionID(actions+len(k.variants)))
		}
		for i, kind := range h.kinds[u.Action] {
			id := strips.ActionID(0)
			if kind >= 0 {
				id = ids[kind]
			}
			k.ids[h.images[h.of[u.Action][i]]] = id
		}
	}
	return k
}

// split returns a recording's attempts by kinds. What a success did that is of none is unknown, in
// the recording returned, too.
func (k kinds) split(r Recording) (Recording, [][]traces.Attempt) {
	if len(k.variants) == 0 {
		return r, r.Segments
	}
	named, split := Recording{Images: r.Images}, make([][]traces.Attempt, len(r.Segments))
	for s, segment := range r.Segments {
		segment = slices.Clone(segment)
		split[s] = slices.Clone(segment)
		for i, at := range segment {
			id, has := k.ids[r.Images[s][i]]
			switch {
			case !has || at.Outcome != traces.Succeeded:
			case id == 0:
				segment[i].Outcome, split[s][i].Outcome = traces.Failed, traces.Failed
			default:
				split[s][i].Action = id
			}
		}
		named.Segments = append(named.Segments, segment)
	}
	return named, split
}
