package traces_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/worlds"
)

func TestNames(t *testing.T) {
	list := func(ids ...strips.ActionID) []strips.ActionID { return ids }
	m := &traces.Model{Predicates: []traces.Predicate{
		{Add: list(3), Del: list(1)}, {Add: list(1, 2), Del: list(3, 4)},
		{Add: list(3), Del: list(2)}, {Add: list(3), Del: list(2)}, {Add: list(1, 4)}, {Del: list(4)}, {},
		{Add: list(3), Del: list(1), Members: []traces.Literal{{}}},
		{Add: list(2, 3), Del: list(1)},
	}}
	for _, c := range []struct{ actions, want []string }{
		{[]string{"pick mug 3", "Pick-Mug 4", "place_mug_3", "Öffne"}, []string{
			"after_place_mug_3_before_pick_mug_3", "after_pick_mug",
			"after_place_mug_3_before_pick_mug_4", "after_place_mug_3_before_pick_mug_4_2",
			"after_pick_mug_3_and_1_more", "before_ffne", "before", "any_place_mug_3",
			"after_mug"}},
		{nil, []string{"after_skill_3_before_skill_1",
			"after_skill_1_and_1_more_before_skill_3_and_1_more",
			"after_skill_3_before_skill_2", "after_skill_3_before_skill_2_2",
			"after_skill_1_and_1_more", "before_skill_4", "before", "any_skill_3", "before_skill_1"}},
		{[]string{"action_1", "action_2", "action_3", "action_4"}, []string{
			"after_action_3_before_action_1", "after_action_1_and_1_more_before_action_3_and_1_more",
			"after_action_3_before_action_2", "after_action_3_before_action_2_2",
			"after_action_1_and_1_more", "before_action_4", "before", "any_action_3", "before_action_1"}},
	} {
		got := m.Names(c.actions)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Error(diff)
		}
		s := strips.Model{Predicates: len(got), Names: got}
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
	}
}

// A learned table reads well, and a plan from outside comes back as ids.
func TestStrips(t *testing.T) {
	w := worlds.Table(3, 4)
	r := checked(t, w, w.Record(1500, 1, worlds.Noise{}))
	var names []string
	for _, o := range w.Operators {
		names = append(names, o.Name)
	}
	m, err := r.Model.Strips(names)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"after_place_1_3", "any_place_3"} {
		if !slices.Contains(m.Names, want) {
			t.Errorf("no predicate is named %s: %v", want, m.Names)
		}
	}
	var b bytes.Buffer
	if err := m.WriteDomain(&b, strips.NegativePreconditions); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "(:action place_1_3") ||
		!strings.Contains(b.String(), "(after_place_1_3)") {
		t.Error(b.String())
	}
	ids, err := m.PDDLActions(strips.NegativePreconditions)
	if err != nil {
		t.Fatal(err)
	}
	if ids["pick_0_0"] != 1 || ids["place_0_3"] != 16 {
		t.Error(ids)
	}
	names[1] = names[0]
	if _, err := r.Model.Strips(names); err == nil {
		t.Error("two actions have one name")
	}
}
