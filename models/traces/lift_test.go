package traces_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/strips"
	"stripswm/models/worlds"
)

// The table behind the ids is that of the world: each object and place is a group, and each skill
// has a schema. What has no such table has no schemas.
func TestLift(t *testing.T) {
	for _, c := range []struct {
		world   *worlds.World
		sorts   [][2]int // groups, and facts of each
		schemas []int    // actions
	}{
		{worlds.Table(5, 7), [][2]int{{5, 7}, {7, 5}}, []int{35, 35}},
		{worlds.Kitchen(4, 3, 2), [][2]int{{4, 5}}, []int{12, 12, 8, 8}}, // drawers and worktops
		{worlds.KeyDoor(), nil, nil},
		{worlds.Hanoi(4), [][2]int{{4, 2}}, nil},
	} {
		t.Run(c.world.Name, func(t *testing.T) {
			r := checked(t, c.world, c.world.Record(6000, 1, worlds.Noise{}))
			l := r.Lift()
			var sorts [][2]int
			for _, s := range l.Sorts {
				sorts = append(sorts, [2]int{len(s), len(l.Groups[s[0]].Facts)})
			}
			var schemas []int
			for _, s := range l.Schemas {
				schemas = append(schemas, len(s.Actions))
			}
			if diff := cmp.Diff(c.sorts, sorts); diff != "" {
				t.Errorf("sorts: %s", diff)
			}
			if diff := cmp.Diff(c.schemas, schemas); diff != "" {
				t.Errorf("schemas: %s", diff)
			}
		})
	}
}

// In DinnerTable each id has a cell of its own: pick and place of an object and a place have the
// same groups.
func TestLiftCells(t *testing.T) {
	const objects, places = 5, 7
	w := worlds.Table(objects, places)
	l := checked(t, w, w.Record(1500, 2, worlds.Noise{})).Lift()
	for id := range objects * places {
		pick := l.Cells[strips.ActionID(1+id)]
		place := l.Cells[strips.ActionID(1+objects*places+id)]
		if len(pick.Groups) != 2 || !slices.Equal(pick.Groups, place.Groups) ||
			pick.Schema == place.Schema {
			t.Fatalf("pick %d is %+v and place %+v", id, pick, place)
		}
		object := l.Cells[strips.ActionID(1+id/places*places)]
		column := l.Cells[strips.ActionID(1+id%places)]
		if !slices.Contains(object.Groups, pick.Groups[0]) ||
			!slices.Contains(column.Groups, pick.Groups[1]) {
			t.Errorf("pick %d is %+v, its row %+v, its column %+v", id, pick, object, column)
		}
	}
}
