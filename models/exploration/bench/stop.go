package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot/plotter"

	"stripswm/models/exploration"
	"stripswm/models/traces"
	"stripswm/models/worlds"
)

const stopHeader = "world\tskills\tseed\tright at\tks\tstop at\tks\tplans %\texpected %" +
	"\terror %\t\n"

// stop explores until the expectation reaches the target, and prints what was true then, and when
// so many plans were right for the first time; attempts and robot time of both. The error
// is the mean distance of the expectation from the truth, from when half of the skills succeeded,
// at measurements that are 3 % of robot time apart. It returns both, in percent by robot time.
func stop(out io.Writer, w *worlds.World, seed uint64, limit float64) (
	truth, told curve, err error,
) {
	e, err := exploration.New(len(w.Operators), exploration.Options{Seed: seed})
	if err != nil {
		return nil, nil, err
	}
	at, seconds, next, learned := w.Start, 0.0, 0.0, 0
	var trace []traces.Attempt
	succeeded := map[int]bool{}
	share, expected, sum, n := 0.0, 0.0, 0.0, 0
	right := "-\t-"
	for seconds < limit && expected < target {
		c, err := e.Next()
		if err != nil {
			return nil, nil, err
		}
		t, took := try(w, &at, c.Action)
		seconds += took
		trace = append(trace, t)
		if t.Outcome == traces.Succeeded {
			succeeded[int(t.Action)] = true
		}
		if err := e.Observe(t.Action, t.Outcome, took); err != nil {
			return nil, nil, err
		}
		if e.Learned() == learned || seconds < next {
			continue
		}
		learned, next = e.Learned(), seconds*step
		x, err := e.Expect(context.Background(), nil)
		if err != nil {
			return nil, nil, err
		}
		expected = x.Success
		if share, err = plans(w, trace, seed, queries); err != nil {
			return nil, nil, err
		}
		truth = append(truth, plotter.XY{X: seconds / 1000, Y: 100 * share})
		told = append(told, plotter.XY{X: seconds / 1000, Y: 100 * expected})
		if share >= target && right == "-\t-" {
			right = fmt.Sprintf("%d\t%.1f", len(trace), seconds/1000)
		}
		if 2*len(succeeded) >= len(w.Operators) {
			sum, n = sum+math.Abs(expected-share), n+1
		}
	}
	_, err = fmt.Fprintf(out, "%s\t%d\t%d\t%s\t%d\t%.1f\t%.0f\t%.0f\t%.0f\t\n", w.Name,
		len(w.Operators), seed, right, len(trace), seconds/1000, 100*share, 100*expected,
		100*sum/float64(max(n, 1)))
	return truth, told, err
}
