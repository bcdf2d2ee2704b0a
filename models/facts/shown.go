package facts

import (
	"context"
	"slices"

	"stripswm/models/effects"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// shown finds facts in images (package effects) that some skill sets or clears which is
// unexplained, or of which no fact tells the effect. What the order of attempts tells of others is
// better known. Segments are the recording's, where kinds of skills have ids of their own.
func (h *changes) shown(ctx context.Context, segments [][]traces.Attempt, now *explained, k kinds) (
	[]traces.Shown, error,
) {
	attempts, _ := h.attempts(segments)
	found, err := effects.Learn(ctx, attempts, effects.Options{Channels: 3, Width: h.side})
	if err != nil {
		return nil, err
	}
	occurs, wanted := map[int]bool{}, map[int]bool{}
	for _, a := range attempts {
		if a.Succeeded {
			occurs[a.Action] = true
		}
	}
	for a := range h.of {
		wanted[int(a)] = true
	}
	for _, o := range now.result.Model.Operators {
		wanted[int(o.Action)] = wanted[int(o.Action)] && o.Effects() == 0
	}
	for _, u := range now.sure {
		wanted[int(u.Action)] = true
	}
	for i, skill := range k.variants {
		wanted[int(skill)], wanted[k.actions+1+i] = true, true
	}
	var all []traces.Shown
	for _, f := range found.Facts {
		tells := func(a int) bool { return wanted[a] }
		if !slices.ContainsFunc(slices.Concat(f.Sets, f.Clears), tells) || len(f.Clears) == 0 {
			continue
		}
		s := traces.Shown{Set: ids(f.Sets), Clear: ids(f.Clears), Nats: f.Nats}
		told := slices.Concat(f.Sets, f.Clears, f.Keeps)
		for a := range occurs {
			if !slices.Contains(told, a) {
				s.Doubt = append(s.Doubt, strips.ActionID(a))
			}
		}
		slices.Sort(s.Doubt)
		all = append(all, s)
	}
	return all, nil
}

func ids(actions []int) (all []strips.ActionID) {
	for _, a := range actions {
		all = append(all, strips.ActionID(a))
	}
	return all
}

// attempts are those of segments of which the result is known, with their images.
func (h *changes) attempts(segments [][]traces.Attempt) (all []effects.Attempt, images [][2]int) {
	n := 0 // segments
	for s, segment := range segments {
		n++
		for i, at := range segment {
			if at.Outcome == traces.Failed || at.With > 0 {
				n++ // nobody knows what it left, or in which order
				continue
			}
			of := h.recording.Images[s][i]
			a := effects.Attempt{Action: int(at.Action), Succeeded: at.Outcome == traces.Succeeded,
				Segment: n}
			if of[0] >= 0 {
				a.Before, a.After = h.thumbs[of[0]], h.thumbs[of[1]]
			}
			all, images = append(all, a), append(images, of)
		}
	}
	return all, images
}
