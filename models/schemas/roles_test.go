package schemas_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/strips"
	"stripswm/models/worlds"
)

// unnamed has ids for names of skills, and no names of predicates.
func unnamed(m *strips.Model) *strips.Model {
	m.Names = nil
	for i := range m.Operators {
		m.Operators[i].Name = fmt.Sprint("action_", m.Operators[i].Action)
	}
	return m
}

// What nobody named has names by role. A model that is labelled with them has them when it is
// lifted again.
func TestNameByRole(t *testing.T) {
	for _, c := range []struct {
		world    *worlds.World
		attempts int
		want     []string // in the domain
	}{
		{worlds.Table(5, 7), 1500, []string{"(at ?x1 - item ?x2 - place)", "(placed ?x1 - item)",
			"(taken ?x1 - place)", "(:action put\n    :parameters (?x1 - item ?x2 - place)",
			"(:action take"}},
		{worlds.Kitchen(4, 3, 2), 3000, []string{"(at ?x1 - item ?x2 - place)",
			"(:action take\n    :parameters (?x1 - item ?x2 - place)", "(:action act_6"}},
		{worlds.Gripper(4, 3), 3000, []string{"(at ?x1 - item ?x2 - place)", "thing1 thing2 - thing",
			"(after_take ?x1 - item ?x2 - thing)"}},
		{worlds.Puzzle(2, 3), 3000, []string{"(free ?x1 - place)",
			"(:action move\n    :parameters (?x1 - item ?x2 - place ?x3 - place)"}},
	} {
		m, _ := learned(t, c.world, c.attempts)
		m = unnamed(m)
		l := lifted(t, m)
		l.NameByRole()
		labelled, err := l.Label(m)
		if err != nil {
			t.Fatal(err)
		}
		again, domain := lifted(t, labelled), new(strings.Builder)
		if err := again.WriteDomain(domain); err != nil {
			t.Fatal(err)
		}
		for _, text := range c.want {
			if !strings.Contains(domain.String(), text) {
				t.Errorf("%s has no %s:\n%s", c.world.Name, text, domain)
			}
		}
		for i := range l.Actions {
			if now, then := l.Actions[i].String(), again.Actions[i].String(); now != then {
				t.Errorf("%s: %s is %s when lifted again", c.world.Name, now, then)
			}
		}
		if m.Operators[0].Name != "action_1" || m.Names != nil {
			t.Errorf("%s: the model that was lifted has other names", c.world.Name)
		}
		labelled.Operators, labelled.Names = m.Operators, m.Names
		if diff := cmp.Diff(m, labelled); diff != "" {
			t.Errorf("%s: not only names differ: %s", c.world.Name, diff)
		}
	}
}

// Where no sort is of items all keep their names.
func TestNoRoles(t *testing.T) {
	m := unnamed(variants(1, 1, 5)) // lamps
	l := lifted(t, m)
	before := fmt.Sprint(l.Sorts, l.Schemas, l.Actions, l.Atoms)
	if l.NameByRole(); fmt.Sprint(l.Sorts, l.Schemas, l.Actions, l.Atoms) != before {
		t.Errorf("%v, before: %s", l.Sorts, before)
	}
}

// A label follows a new name of an object, and others stay.
func TestLabel(t *testing.T) {
	m, _ := learned(t, worlds.Table(5, 7), 1500)
	l := lifted(t, m)
	object := l.Actions[8].Objects[0] // of pick_1_1
	if err := l.Rename(map[string]string{object: "mug"}); err != nil {
		t.Fatal(err)
	}
	labelled, err := l.Label(m)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range l.Actions {
		name, old := labelled.Operators[i].Name, m.Operators[i].Name
		if has := slices.Contains(a.Objects, "mug"); has != strings.HasPrefix(name, a.Name+"_mug_") ||
			!has && name != old {
			t.Errorf("%s is %s, before %s", a, name, old)
		}
	}
	for p, a := range l.Atoms {
		name := labelled.Names[p]
		if slices.Contains(a.Objects, "mug") != strings.Contains(name, "_mug") {
			t.Errorf("%v is %s", a, name)
		}
	}
	m.Operators[0].Name = "pick_mug_" + l.Actions[8].Objects[1]
	if _, err := l.Label(m); err == nil {
		t.Error("two skills have one name")
	}
}
