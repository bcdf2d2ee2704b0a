package taskgraph_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/taskgraph"
)

func TestRelabelJoinsActions(t *testing.T) {
	b := taskgraph.NewBuilder([]string{"pick_mug", "place_mug", "pick_fork"})
	for _, err := range []error{b.Observe("a", 1, "b"), b.Observe("c", 3, "d"), b.Refuse("a", 3),
		b.Refuse("d", 1), b.Refuse("d", 3), b.Refuse("d", 2)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := b.Graph().Relabel(func(label string) string {
		verb, _,
			_ := strings.Cut(label, "_")
		return verb
	})
	if err := got.Validate(); err != nil {
		t.Fatal(err)
	}
	want := b.Graph()
	want.Labels = []string{"pick", "place"}
	want.Edges[1].Action = 1
	want.Refused = []taskgraph.Refusal{{State: 3, Action: 1, Count: 2},
		{State: 3, Action: 2, Count: 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
