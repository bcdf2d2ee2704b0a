package facts

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"stripswm/models/dataset"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Learned is what Learn makes of a dataset.
type Learned struct {
	Recording      Recording // that was learned from
	Contradictions []Contradiction
	Result         *traces.Result
	// Unexplained are skills that change something else than facts. The model has no operator of
	// them: nobody knows what they leave.
	Unexplained []Unexplained
}

// Learn learns a model from the attempts of a dataset. What their images show of failed attempts
// counts. What they contradict is left out if more refusals are explained without it. Otherwise the
// attempts agree with each other, and the comparison of images is wrong. That happens where a robot
// did the same few things again and again: what an action changes is then known before few
// backgrounds. Where refusals are fewer than actions they say too little, and images count.
// The error may be that of ctx.
func Learn(ctx context.Context, d *dataset.Dataset) (*Learned, error) {
	options := traces.Options{Ended: ctx.Err}
	thumbs := thumbnails(d)
	l, err := learnConsistent(d, thumbs, options)
	if err != nil {
		return nil, err
	}
	return l, l.explainByImages(ctx, d, thumbs, options)
}

func learnConsistent(d *dataset.Dataset, thumbs []pixels.Thumbnail, options traces.Options,
) (*Learned, error) {
	all := Attempts(d)
	found := all.Contradictions(thumbs)
	rest := all.Without(found)
	without, err := traces.Learn(d.Actions, rest.Segments, options)
	if err != nil {
		return nil, err
	}
	var failures []Contradiction
	for _, c := range found {
		if c.Kind == FailedStill || c.Kind == FailedMoved {
			failures = append(failures, c)
		}
	}
	if len(found) > len(failures) {
		all = all.Without(failures)
		with, err := traces.Learn(d.Actions, all.Segments, options)
		if err != nil {
			return nil, err
		}
		if with.Report.Refusals >= d.Actions &&
			with.Report.Unexplained() <= without.Report.Unexplained() {
			return &Learned{Recording: all, Contradictions: failures, Result: with}, nil
		}
	}
	return &Learned{Recording: rest, Contradictions: found, Result: without}, nil
}

// mostBlamed is how many unexplained skills are tried at a time as the one that hides the facts of
// others. Each costs as much as learning facts once.
const mostBlamed = 5

// explainByImages finds the unexplained skills, and facts of theirs in images: a skill that moves
// an object from wherever it is leaves nothing that alternates. It takes the operators of those
// that are still unexplained out of the model. One that changes what the facts of other skills
// would tell, such as to sweep away whatever is there, hides these facts: it is blamed if, where
// what it leaves is unknown, more successes of others are explained than it has itself. Facts are
// learned without the others, as some of what alternates with them is no fact.
func (l *Learned) explainByImages(ctx context.Context, d *dataset.Dataset,
	thumbs []pixels.Thumbnail, options traces.Options,
) error {
	all := l.Recording
	h := measureChanges(thumbs, all)
	if h == nil {
		return nil
	}
	found, sure := h.unexplained(all, l.Result)
	// attempt learns from a recording, and keeps that if so many successes are unexplained at most.
	attempt := func(r Recording, most int) (bool, error) {
		result, err := traces.Learn(d.Actions, r.Segments, options)
		if err != nil {
			return false, err
		}
		if err := options.Ended(); err != nil {
			return false, err
		}
		may, certain := h.unexplained(r, result)
		if successes(certain) > most {
			return false, nil
		}
		l.Recording, l.Result, found, sure = r, result, may, certain
		return true, nil
	}
	if len(sure) > 0 {
		var err error
		if options.Shown, err = h.shown(ctx, all, sure); err != nil {
			return fmt.Errorf("facts: %w", err)
		}
		if len(options.Shown) > 0 {
			better, err := attempt(all, successes(sure)-1)
			if err != nil {
				return err
			}
			if !better {
				options.Shown = nil
			}
		}
	}
	unknown := map[strips.ActionID]bool{}
	for blamed := len(sure) > 0; blamed; {
		blamed = false
		slices.SortStableFunc(found, func(x, y Unexplained) int {
			return cmp.Compare(x.steady, y.steady)
		})
		for _, u := range found[:min(mostBlamed, len(found))] {
			if unknown[u.Action] {
				continue
			}
			unknown[u.Action] = true
			var err error
			blamed, err = attempt(all.unknownAfter(unknown), successes(sure)-u.Successes-1)
			if err != nil {
				return err
			}
			if blamed {
				break
			}
			delete(unknown, u.Action)
		}
	}
	if len(sure) > len(unknown) {
		without := map[strips.ActionID]bool{}
		for _, u := range sure {
			without[u.Action] = !unknown[u.Action]
		}
		if _, err := attempt(l.Recording.leaveOut(without), successes(sure)); err != nil {
			return err
		}
	}
	l.Unexplained = sure
	named := func(o strips.Operator) bool {
		return slices.ContainsFunc(sure, func(u Unexplained) bool { return u.Action == o.Action })
	}
	l.Result.Model.Operators = slices.DeleteFunc(l.Result.Model.Operators, named)
	return nil
}

func successes(all []Unexplained) (n int) {
	for _, u := range all {
		n += u.Successes
	}
	return n
}

// leaveOut is the recording without the attempts of some actions.
func (r Recording) leaveOut(actions map[strips.ActionID]bool) (out Recording) {
	for s, segment := range r.Segments {
		var attempts []traces.Attempt
		var images [][2]int
		for i, at := range segment {
			if !actions[at.Action] {
				attempts, images = append(attempts, at), append(images, r.Images[s][i])
			}
		}
		out.Segments, out.Images = append(out.Segments, attempts), append(out.Images, images)
	}
	return out
}

// unknownAfter has nobody know what some actions leave.
func (r Recording) unknownAfter(actions map[strips.ActionID]bool) Recording {
	out := Recording{Images: r.Images}
	for _, segment := range r.Segments {
		segment = slices.Clone(segment)
		for i, at := range segment {
			if actions[at.Action] && at.Outcome == traces.Succeeded {
				segment[i].Outcome = traces.Failed
			}
		}
		out.Segments = append(out.Segments, segment)
	}
	return out
}
