package facts

import (
	"fmt"
	"slices"

	"stripswm/models/effects"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Contradiction is an attempt of a recording that its images contradict.
type Contradiction struct {
	Attempt int // from 0, through all segments
	Kind    Kind
	Images  [2]int // between which it is seen
	Action  strips.ActionID
	Looks   strips.ActionID // of OtherAction: whose effect the images show
}

// Kind is how images contradict a recording.
type Kind string

// The kinds.
const (
	MovedBefore  Kind = "moved-before"  // something changed between the attempt and the one before
	RefusedMoved Kind = "refused-moved" // the attempt was refused, and something changed
	NothingMoved Kind = "nothing-moved" // the attempt succeeded, and nothing changed
	OtherAction  Kind = "other-action"  // the change looks like that of another action
	MoreMoved    Kind = "more-moved"    // the attempt succeeded, and something else changed, too
	FailedStill  Kind = "failed-still"  // the attempt failed, and nothing changed
	FailedMoved  Kind = "failed-moved"  // the attempt failed, and what the action changes has changed
)

// Words says what the images show.
func (c Contradiction) Words(name func(strips.ActionID) string) string {
	switch c.Kind {
	case MovedBefore:
		return "something changed before " + name(c.Action)
	case RefusedMoved:
		return name(c.Action) + " was refused, and something changed"
	case NothingMoved:
		return name(c.Action) + " succeeded, and nothing changed"
	case MoreMoved:
		return name(c.Action) + " succeeded, and something else changed"
	case FailedStill:
		return name(c.Action) + " failed, and nothing changed"
	case FailedMoved:
		return name(c.Action) + " failed, and did what it does"
	}
	return fmt.Sprintf("%s looks like %s", name(c.Action), name(c.Looks))
}

// Contradictions lists the attempts that their images contradict, in order, by thumbnails of all.
// It learns what two images of one state look like from those between attempts, and what each
// action changes from its successes, as most attempts are recorded right. Where images do not tell
// changes from none it lists nothing.
func (r Recording) Contradictions(thumbs []pixels.Thumbnail) []Contradiction {
	still, moved, failed := r.pairs(thumbs)
	// Here actions are those that occur, from 1, since each pair of them takes room.
	var ids []strips.ActionID
	for _, s := range []*sights{&still, &moved, &failed} {
		for _, c := range s.all {
			ids = append(ids, c.Action)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for _, s := range []*sights{&still, &moved, &failed} {
		for k := range s.all {
			at, _ := slices.BinarySearch(ids, s.all[k].Action)
			s.all[k].Action = strips.ActionID(at + 1)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	seen := compare(&contrast{thumbs: thumbs}, &still, &moved, len(ids), mostRight)
	if seen == nil {
		return nil
	}
	var found []Contradiction
	for k, c := range still.all {
		if still.score[k] > seen.limit { // whatever the difference: a change that is missed costs facts
			found = append(found, c)
		}
	}
	for k, c := range moved.all {
		looks := moved.looks[k]
		switch {
		case seen.visible[c.Action] && seen.nothing(&moved, k):
		case !seen.usual[c.Action] || looks == c.Action && !seen.more(&moved, k):
			continue
		case looks == c.Action:
			c.Kind = MoreMoved
		case moved.score[k] > seen.limit:
			c.Kind, c.Looks = OtherAction, looks
		}
		found = append(found, c)
	}
	seen.effects.look(&failed, false)
	for k, c := range failed.all {
		switch seen.happened(&failed, k) {
		case 0:
			c.Kind = FailedStill
		case traces.Succeeded:
			c.Kind = FailedMoved
		default:
			continue
		}
		found = append(found, c)
	}
	for k := range found {
		found[k].Action = ids[found[k].Action-1]
		if found[k].Looks > 0 {
			found[k].Looks = ids[found[k].Looks-1]
		}
	}
	slices.SortStableFunc(found, func(x, y Contradiction) int { return x.Attempt - y.Attempt })
	return found
}

// pairs are the images between which nothing should have changed, those of successes, and those of
// failed attempts. Of the first those by one image alone are left out, where thumbnails tell.
func (r Recording) pairs(thumbs []pixels.Thumbnail) (still, moved, failed sights) {
	n := 0
	var between, refused []Contradiction
	for s, attempts := range r.Segments {
		for i, a := range attempts {
			at := Contradiction{Attempt: n, Action: a.Action, Images: r.Images[s][i]}
			n++
			if at.Images[0] < 0 { // there are none
				continue
			}
			if i > 0 && r.Images[s][i-1][1] >= 0 {
				before := at
				before.Kind, before.Images = MovedBefore, [2]int{r.Images[s][i-1][1], at.Images[0]}
				between = append(between, before)
			}
			switch a.Outcome {
			case traces.Refused:
				at.Kind = RefusedMoved
				refused = append(refused, at)
			case traces.Succeeded:
				at.Kind = NothingMoved
				moved.all = append(moved.all, at)
			case traces.Failed:
				failed.all = append(failed.all, at)
			}
		}
	}
	still.all = effects.Different(func(c Contradiction) bool {
		return thumbs == nil || !slices.Equal(thumbs[c.Images[0]], thumbs[c.Images[1]])
	}, between, refused)
	slices.SortStableFunc(still.all, func(x, y Contradiction) int { return x.Attempt - y.Attempt })
	return still, moved, failed
}

// Without returns the recording without what the contradictions say: a segment ends before a
// change, a failed attempt at which nothing changed is left out, or is a success where its effect
// shows, and what happened at the attempts of the other kinds is unknown.
func (r Recording) Without(all []Contradiction) Recording {
	if len(all) == 0 {
		return r
	}
	cut, outcomes := map[int]bool{}, map[int]traces.Outcome{}
	for _, c := range all {
		switch c.Kind {
		case MovedBefore:
			cut[c.Attempt] = true
		case FailedStill:
			outcomes[c.Attempt] = 0
		case FailedMoved:
			outcomes[c.Attempt] = traces.Succeeded
		default:
			outcomes[c.Attempt] = traces.Failed
		}
	}
	var out Recording
	n := 0
	for s, attempts := range r.Segments {
		for i, a := range attempts {
			if i == 0 || cut[n] {
				out.Segments, out.Images = append(out.Segments, nil), append(out.Images, nil)
			}
			if o, corrected := outcomes[n]; corrected {
				a.Outcome = o
			}
			if n++; a.Outcome == 0 {
				continue
			}
			last := len(out.Segments) - 1
			out.Segments[last] = append(out.Segments[last], a)
			out.Images[last] = append(out.Images[last], r.Images[s][i])
		}
	}
	return out
}
