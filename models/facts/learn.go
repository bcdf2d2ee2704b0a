package facts

import (
	"context"

	"stripswm/models/dataset"
	"stripswm/models/traces"
)

// Learn learns a model from the attempts of a dataset, and returns those that it learned from. What
// their images show of failed attempts counts. What they contradict is left out if more refusals
// are explained without it. Otherwise the attempts agree with each other, and the comparison of
// images is wrong. That happens where a robot did the same few things again and again: what an
// action changes is then known before few backgrounds. Where refusals are fewer than actions they
// say too little, and images count. The error may be that of ctx.
func Learn(ctx context.Context, d *dataset.Dataset) (Recording, []Contradiction, *traces.Result,
	error) {
	all := Attempts(d)
	found := all.Contradictions(d)
	rest := all.Without(found)
	options := traces.Options{Ended: ctx.Err}
	without, err := traces.Learn(d.Actions, rest.Segments, options)
	var failures []Contradiction
	for _, c := range found {
		if c.Kind == FailedStill || c.Kind == FailedMoved {
			failures = append(failures, c)
		}
	}
	if err != nil || len(found) == len(failures) {
		return rest, found, without, err
	}
	all = all.Without(failures)
	with, err := traces.Learn(d.Actions, all.Segments, options)
	if err != nil {
		return all, nil, nil, err
	}
	if with.Report.Refusals >= d.Actions && with.Report.Unexplained() <= without.Report.Unexplained() {
		return all, failures, with, nil
	}
	return rest, found, without, nil
}
