package learn_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/learn"
)

// corridor is a policy to and fro along rooms 0 to 7 by actions 1 and 2; action 3+r
// jumps from room r by four. look says what code a room has.
func corridor(steps int, code func(room int, rng *rand.Rand) string) learn.Evidence {
	const rooms = 8
	rng := rand.New(rand.NewPCG(5, 0))
	e := learn.Evidence{Data: dataset.New(1, 2+rooms, 0)}
	show := func(room int) int {
		e.Codes = append(e.Codes, identity.Code(code(room, rng)))
		return len(e.Codes) - 1
	}
	room := 0
	for i := range steps {
		action, next := 1, (room+1)%rooms
		switch rng.IntN(3) {
		case 1:
			action, next = 2, (room+rooms-1)%rooms
		case 2:
			action, next = 3+room, (room+4)%rooms
		}
		e.Data.Transitions = append(e.Data.Transitions, dataset.Transition{Before: show(room),
			Action: strips.ActionID(action), After: show(next), Follows: i > 0})
		room = next
	}
	labels := make([]string, e.Data.Actions)
	for i := range labels {
		labels[i] = fmt.Sprint("a", i+1)
	}
	var err error
	if e.Graph, err = identity.TaskGraph(e.Data, e.Codes, labels); err != nil {
		panic(err)
	}
	return e
}

// faulty looks as an encoder does that gives rooms 2 and 6 one code, room 4 two, and
// misreads one image in two hundred.
func faulty(room int, rng *rand.Rand) string {
	switch {
	case rng.IntN(200) == 0:
		return fmt.Sprint("misread", rng.IntN(5))
	case room == 6:
		return "2"
	case room == 4:
		return fmt.Sprint("4", rng.IntN(2))
	}
	return fmt.Sprint(room)
}

func TestRepairFindsTheRooms(t *testing.T) {
	e := corridor(6000, faulty)
	r := must(learn.Repair(context.Background(), e, taskgraph.ErrorShare))
	if r.Graph.NumStates() != 8 || len(r.Graph.Edges) != 24 || len(r.Graph.Nondeterministic()) != 0 {
		t.Errorf("%d states, %d edges, %d nondeterministic pairs: want 8, 24 and none",
			r.Graph.NumStates(), len(r.Graph.Edges), len(r.Graph.Nondeterministic()))
	}
	if diff := cmp.Diff([]identity.Code{"2"}, r.Split); diff != "" {
		t.Errorf("split:\n%s", diff)
	}
	if n := r.Repairs(); n.SplitCodes != 1 || n.DroppedNodes != 5 || n.DroppedEdges == 0 ||
		n.MergedNodes != 1 {
		t.Errorf("repairs %+v", n)
	}
	merges := r.Merges()
	if len(merges) != 1 || !slices.Equal(slices.Sorted(slices.Values(merges[0].Codes)),
		[]string{"40", "41"}) || len(merges[0].Shown) != 3 {
		t.Errorf("merged %v, want the codes of room 4, shown by the three ways in", merges)
	}
}

// TestRepairOfAWholeGraph repairs what has no faults: it stays as it is.
func TestRepairOfAWholeGraph(t *testing.T) {
	e := corridor(500, func(room int, _ *rand.Rand) string { return fmt.Sprint(room) })
	r := must(learn.Repair(context.Background(), e, taskgraph.ErrorShare))
	if diff := cmp.Diff(e.Graph, r.Graph); diff != "" || r.Repairs() != (learn.Repairs{}) {
		t.Errorf("repairs %+v, graph:\n%s", r.Repairs(), diff)
	}
}

// TestChanges has an encoder give one room two codes, so that the two images of one static interval
// often differ: that is no change of the scene, and those that nobody marked are.
func TestChanges(t *testing.T) {
	for name, every := range map[string]int{"none": 0, "every hundredth attempt": 100} {
		e := corridor(3000, func(room int, rng *rand.Rand) string {
			if room == 4 {
				return fmt.Sprint("4", rng.IntN(2))
			}
			return fmt.Sprint(room)
		})
		var want []int
		for i := range e.Data.Transitions {
			room := func(image int) byte { return e.Codes[image][0] }
			if i == 0 || every == 0 || i%every > 0 {
				continue
			}
			e.Data.Transitions[i], e.Data.Transitions[i-1] = e.Data.Transitions[i-1], e.Data.Transitions[i]
			for k := i - 1; k < i+2; k++ {
				if room(e.Data.Transitions[k-1].After) != room(e.Data.Transitions[k].Before) {
					want = append(want, k)
				}
			}
		}
		cuts := identity.Cuts(e.Data, e.Codes)
		e.Data.Cut(cuts)
		r := must(learn.Repair(t.Context(), e, taskgraph.ErrorShare))
		found := learn.Changes(e.Data, cuts, identity.NewLocator(r.Graph).Nodes(e.Data, e.Codes))
		wrong := slices.DeleteFunc(slices.Clone(found),
			func(i int) bool { return slices.Contains(want, i) })
		if len(wrong) > 0 || 10*len(found) < 7*len(want) || len(cuts) == len(found) {
			t.Errorf("%s: %d cuts, of which %d are changes, want %d; no changes are %v", name, len(cuts),
				len(found), len(want), wrong)
		}
	}
}
