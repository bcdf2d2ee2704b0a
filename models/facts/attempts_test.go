package facts

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/dataset"
	"stripswm/models/traces"
)

func TestAttemptsKeepTheOrder(t *testing.T) {
	const ok, no = traces.Succeeded, traces.Refused
	for name, c := range map[string]struct {
		transitions, refused []dataset.Transition
		want                 [][]traces.Attempt
		shows                []int // interval of each image
	}{
		"one segment": {
			[]dataset.Transition{{Before: 0, After: 1, Action: 1},
				{Before: 4, After: 5, Action: 2, Follows: true}},
			[]dataset.Transition{{Before: 2, After: 3, Action: 3}, {Before: 6, After: 7, Action: 4}},
			[][]traces.Attempt{{{Action: 1, Outcome: ok}, {Action: 3, Outcome: no}, {Action: 2, Outcome: ok}, {Action: 4, Outcome: no}}},
			[]int{0, 1, 1, 1, 1, 2, 2, 2},
		},
		"a reset": {
			[]dataset.Transition{{Before: 0, After: 1, Action: 1}, {Before: 2, After: 3, Action: 2}},
			nil,
			[][]traces.Attempt{{{Action: 1, Outcome: ok}}, {{Action: 2, Outcome: ok}}},
			[]int{0, 1, 2, 3},
		},
		"a refused attempt before or after a reset": {
			[]dataset.Transition{{Before: 0, After: 1, Action: 1}, {Before: 4, After: 5, Action: 2}},
			[]dataset.Transition{{Before: 2, After: 3, Action: 3}},
			[][]traces.Attempt{{{Action: 1, Outcome: ok}}, {{Action: 3, Outcome: no}}, {{Action: 2, Outcome: ok}}},
			[]int{0, 1, 2, 2, 3, 4},
		},
		"refused first": {
			[]dataset.Transition{{Before: 2, After: 3, Action: 2}},
			[]dataset.Transition{{Before: 0, After: 1, Action: 3}},
			[][]traces.Attempt{{{Action: 3, Outcome: no}, {Action: 2, Outcome: ok}}},
			[]int{0, 0, 0, 1},
		},
	} {
		d := dataset.New(1, 4, 8)
		d.Transitions, d.Refused = c.transitions, c.refused
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
