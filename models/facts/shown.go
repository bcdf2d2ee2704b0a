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
// better known.
func (h *changes) shown(ctx context.Context, r Recording, of []Unexplained) (
	[]traces.Shown, error,
) {
	var attempts []effects.Attempt
	n := 0 // segments
	for s, segment := range r.Segments {
		n++
		for i, at := range segment {
			images := r.Images[s][i]
			if at.Outcome == traces.Failed || at.With > 0 {
				n++ // nobody knows what it left, or in which order
				continue
			}
			succeeded := at.Outcome == traces.Succeeded
			a := effects.Attempt{Action: int(at.Action), Succeeded: succeeded, Segment: n}
			if images[0] >= 0 {
				a.Before, a.After = h.thumbs[images[0]], h.thumbs[images[1]]
			}
			attempts = append(attempts, a)
		}
	}
	found, err := effects.Learn(ctx, attempts, effects.Options{Channels: 3, Width: h.side})
	if err != nil {
		return nil, err
	}
	wanted := map[int]bool{}
	for a := range h.of {
		wanted[int(a)] = true
	}
	for _, o := range h.result.Model.Operators {
		wanted[int(o.Action)] = wanted[int(o.Action)] && o.Effects() == 0
	}
	for _, u := range of {
		wanted[int(u.Action)] = true
	}
	var all []traces.Shown
	for _, f := range found.Facts {
		tells := func(a int) bool { return wanted[a] }
		if !slices.ContainsFunc(slices.Concat(f.Sets, f.Clears), tells) || len(f.Clears) == 0 {
			continue
		}
		s := traces.Shown{Set: ids(f.Sets), Clear: ids(f.Clears), Nats: f.Nats}
		told := slices.Concat(f.Sets, f.Clears, f.Keeps)
		for a := range h.of {
			if !slices.Contains(told, int(a)) {
				s.Doubt = append(s.Doubt, a)
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
