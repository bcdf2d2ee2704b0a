package facts

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/dataset"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

func TestAttemptsKeepTheOrder(t *testing.T) {
	ok := func(a strips.ActionID) traces.Attempt {
		return traces.Attempt{Action: a, Outcome: traces.Succeeded}
	}
	no := func(a strips.ActionID) traces.Attempt {
		return traces.Attempt{Action: a, Outcome: traces.Refused}
	}
	for name, c := range map[string]struct {
		transitions, refused, failed []dataset.Transition
		want                         [][]traces.Attempt
		shows                        []int // interval of each image
	}{
		"one segment": {
			[]dataset.Transition{{Before: 0, After: 1, Action: 1},
				{Before: 4, After: 5, Action: 2, Follows: true}},
			[]dataset.Transition{{Before: 2, After: 3, Action: 3}, {Before: 6, After: 7, Action: 4}},
			nil,
			[][]traces.Attempt{{ok(1), no(3), ok(2), no(4)}},
			[]int{0, 1, 1, 1, 1, 2, 2, 2},
		},
		"a reset": {
			[]dataset.Transition{{Before: 0, After: 1, Action: 1}, {Before: 2, After: 3, Action: 2}},
			nil, nil,
			[][]traces.Attempt{{ok(1)}, {ok(2)}},
			[]int{0, 1, 2, 3},
		},
		"a refused attempt before or after a reset": {
			[]dataset.Transition{{Before: 0, After: 1, Action: 1}, {Before: 4, After: 5, Action: 2}},
			[]dataset.Transition{{Before: 2, After: 3, Action: 3}},
			nil,
			[][]traces.Attempt{{ok(1)}, {no(3)}, {ok(2)}},
			[]int{0, 1, 2, 2, 3, 4},
		},
		"refused first": {
			[]dataset.Transition{{Before: 2, After: 3, Action: 2}},
			[]dataset.Transition{{Before: 0, After: 1, Action: 3}},
			nil,
			[][]traces.Attempt{{no(3), ok(2)}},
			[]int{0, 0, 0, 1},
		},
		"a failed attempt": {
			[]dataset.Transition{{Before: 0, After: 1, Action: 1},
				{Before: 6, After: 7, Action: 2, Resumes: true}},
			[]dataset.Transition{{Before: 4, After: 5, Action: 4}},
			[]dataset.Transition{{Before: 2, After: 3, Action: 3}},
			[][]traces.Attempt{{ok(1), {Action: 3, Outcome: traces.Failed}, no(4), ok(2)}},
			[]int{0, 1, 1, -1, 2, 2, 2, 3},
		},
		"a failed attempt before or after a reset": {
			[]dataset.Transition{{Before: 0, After: 1, Action: 1}, {Before: 4, After: 5, Action: 2}},
			nil,
			[]dataset.Transition{{Before: 2, After: 3, Action: 3}},
			[][]traces.Attempt{{ok(1)}, {{Action: 3, Outcome: traces.Failed}}, {ok(2)}},
			[]int{0, 1, 2, -1, 3, 4},
		},
	} {
		d := dataset.New(1, 4, 8)
		d.Transitions, d.Refused, d.Failed = c.transitions, c.refused, c.failed
		got := Attempts(d)
		if diff := cmp.Diff(c.want, got.Segments); diff != "" {
			t.Errorf("%s: %s", name, diff)
			continue
		}
		r, err := traces.Learn(4, got.Segments, traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.shows, got.Intervals(r, len(c.shows))); diff != "" {
			t.Errorf("%s: intervals of images: %s", name, diff)
		}
	}
}
