package strips_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/strips"
)

func TestGoal(t *testing.T) {
	s := code("010")
	whole, some := strips.GoalOf(s), strips.GoalOfSome(s, []strips.Predicate{2, 1})
	if !whole.Holds(s) || whole.Holds(code("011")) || !some.Holds(code("110")) {
		t.Errorf("%v, %v", whole, some)
	}
	want := []strips.Literal{{Predicate: 2, Negated: true}, {Predicate: 1}}
	if diff := cmp.Diff(want, some.Unmet(code("101"))); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []strips.Goal{
		{{Predicate: 3}}, {{Predicate: -1}}, {{Predicate: 1}, {Predicate: 1, Negated: true}}} {
		if bad.Validate(3) == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

func TestGoalString(t *testing.T) {
	state := strips.NewState(5, 1, 4)
	for want, goal := range map[string]strips.Goal{
		"01001": strips.GoalOf(state), "": nil,
		"-1-0": strips.GoalOfSome(state, []strips.Predicate{3, 1}),
	} {
		if got := goal.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestParseGoal(t *testing.T) {
	m := lamp()
	m.Names = []string{"bright", "far-away"}
	got, err := m.ParseGoal("!far-away, bright")
	if err != nil {
		t.Fatal(err)
	}
	want := strips.Goal{{Predicate: 1, Negated: true}, {Predicate: 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"", "dark", "bright,!bright", "bright,"} {
		if _, err := m.ParseGoal(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func TestMistypedPredicates(t *testing.T) {
	m := lamp()
	m.Names = []string{"bright", "far-away"}
	for text, says := range map[string]string{
		"brigth": "did you mean bright?", "!faraway": "did you mean far-away?",
		"lunch": "facts.txt", "": "facts.txt",
	} {
		if _, err := m.ParseGoal(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v does not say %q", text, err, says)
		}
	}
}

// Names come back from JSON, and so do ids where an action has no operator.
func TestNamesAndUnknownActions(t *testing.T) {
	m := lamp()
	m.Names = []string{"bright", "far-away"}
	m.Operators[1].Action = 7
	var b bytes.Buffer
	if err := m.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	got, err := strips.ReadJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	diff := cmp.Diff(m.Names, got.Names)
	if diff != "" || got.Operators[1].Action != 7 || got.Actions() != 7 {
		t.Errorf("%s %+v", diff, got.Operators)
	}
	if len(m.Variants(3)) != 0 {
		t.Error("action 3 has operators")
	}
	for _, d := range []strips.Dialect{strips.NegativePreconditions, strips.CompileAwayNegative} {
		b.Reset()
		goal := strips.Goal{{Predicate: 1, Negated: true}}
		if err := m.WriteDomain(&b, d); err != nil {
			t.Fatal(err)
		}
		if err := m.WriteGoalProblem(&b, d, code("01"), goal); err != nil {
			t.Fatal(err)
		}
		wants := map[strips.Dialect]string{strips.NegativePreconditions: "(:goal (and (not (far-away))))",
			strips.CompileAwayNegative: "(:goal (and (not-far-away)))"}
		if want := wants[d]; !strings.Contains(b.String(), want) || strings.Contains(b.String(), "(p0)") {
			t.Errorf("want %s in\n%s", want, b.String())
		}
	}
}
