package strips_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"stripswm/models/strips"
)

type mask = []strips.Predicate

// lamp has a switch (0) and a bulb (1): the switch can be flicked on while off,
// and a fitted bulb unscrewed.
func lamp(exceptions ...strips.Exception) *strips.Model {
	return &strips.Model{
		Predicates: 2,
		Operators: []strips.Operator{
			{Action: 1, Name: "Flick on", PreNeg: mask{0}, Add: mask{0}},
			{Action: 2, Name: "unscrew", PrePos: mask{1}, Del: mask{1}},
		},
		States: []strips.Known{
			{Node: 0, Code: code("00")}, {Node: 1, Code: code("01")},
			{Node: 2, Code: code("10")}, {Node: 3, Code: code("11")},
		},
		Exceptions: exceptions,
	}
}

// mover is a robot on two cells (predicate 0: left, 1: right) with a lamp (2). Its
// one skill to move does the one or the other, and may miss a threshold from the
// right; another is the switch of the lamp.
func mover() *strips.Model {
	return &strips.Model{
		Predicates: 3,
		Operators: []strips.Operator{
			{Action: 1, Name: "move", PrePos: mask{0}, Add: mask{1}, Del: mask{0}},
			{Action: 1, Name: "move", PrePos: mask{1}, Add: mask{0}, Del: mask{1}},
			{Action: 2, Name: "switch", Toggle: mask{2}},
		},
		States: []strips.Known{
			{Node: 0, Code: code("100")}, {Node: 1, Code: code("010")},
			{Node: 2, Code: code("101")}, {Node: 3, Code: code("011")},
		},
		Nondeterministic: []strips.Nondeterminism{
			{Node: 3, Action: 1, Outcomes: []strips.Outcome{{Target: 2, Count: 7}, {Target: 3, Count: 2}}}},
	}
}

func code(text string) strips.State {
	s, err := strips.ParseState(text)
	if err != nil {
		panic(err)
	}
	return s
}

func TestStateIsItsOwnKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.Bool()).Draw(t, "values")
		s := strips.StateOf(values)
		if again := code(s.String()); again != s || s.Len() != len(values) {
			t.Fatalf("%v became %v", s, again)
		}
		if diff := cmp.Diff(values, s.Bools()); len(values) > 0 && diff != "" {
			t.Fatal(diff)
		}
		if len(values) == 0 {
			return
		}
		p := strips.Predicate(rapid.IntRange(0, len(values)-1).Draw(t, "p"))
		on, off := s.With(mask{p}, nil), s.With(nil, mask{p})
		if !on.Get(p) || off.Get(p) || on == off || on.Distance(off) != 1 {
			t.Fatalf("%v with and without %d: %v, %v", s, p, on, off)
		}
		if diff := cmp.Diff(mask{p}, on.Difference(off)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestParseStateRefusesOtherCharacters(t *testing.T) {
	if _, err := strips.ParseState("01x"); err == nil {
		t.Error("no error")
	}
}

func TestSuccessor(t *testing.T) {
	for _, c := range []struct {
		name   string
		model  *strips.Model
		state  string
		action strips.ActionID
		want   string
	}{
		{"add", lamp(), "01", 1, "11"},
		{"delete", lamp(), "11", 2, "10"},
		{"negative precondition", lamp(), "10", 1, ""},
		{"positive precondition", lamp(), "10", 2, ""},
		{"unknown action", lamp(), "10", 3, ""},
		{"state of another length", lamp(), "1", 1, ""},
		{"exception", lamp(strips.Exception{Node: 1, Action: 1}), "01", 1, ""},
		{"exception elsewhere", lamp(strips.Exception{Node: 0, Action: 1}), "01", 1, "11"},
		{"toggle on", mover(), "100", 2, "101"},
		{"toggle off", mover(), "101", 2, "100"},
		{"first variant", mover(), "100", 1, "010"},
		{"second variant", mover(), "010", 1, "100"},
		{"no variant", mover(), "000", 1, ""},
		{"variants that disagree", mover(), "110", 1, ""},
		{"nondeterministic outcome", mover(), "011", 1, ""},
		{"no nondeterministic outcome", mover(), "101", 1, "011"},
		{"shared exception", lamp(strips.Exception{Node: 1, Action: 1, Shared: true}), "01", 1, "11"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := c.model.Successor(code(c.state), c.action)
			if ok != (c.want != "") || ok && got != code(c.want) {
				t.Errorf("got %v %v, want %q", got, ok, c.want)
			}
		})
	}
}

// Two variants that apply in a state and come to the same are fine.
func TestVariantsThatAgree(t *testing.T) {
	m := mover()
	m.Operators[1].Add, m.Operators[1].Del = nil, nil
	m.Operators[0].Del = nil
	if next, ok := m.Successor(code("110"), 1); !ok || next != code("110") {
		t.Errorf("got %v %t", next, ok)
	}
}

// A skill that does different things in different cells, a switch, and a move that
// is nondeterministic.
func ExampleModel_Successor() {
	m := mover()
	for _, pair := range []strips.Refusal{{Code: code("100"), Action: 1},
		{Code: code("010"), Action: 1}, {Code: code("010"), Action: 2}, {Code: code("011"), Action: 1}} {
		next, ok := m.Successor(pair.Code, pair.Action)
		fmt.Println(m.Label(pair.Action), "in", pair.Code, "leads to", next, ok)
	}
	// Output:
	// move in 100 leads to 010 true
	// move in 010 leads to 100 true
	// switch in 010 leads to 011 true
	// move in 011 leads to  false
}

func TestVariants(t *testing.T) {
	m := mover()
	if m.Actions() != 2 || m.Label(1) != "move" || m.Label(2) != "switch" || m.Label(0) != "" ||
		m.Label(3) != "" {
		t.Errorf("%d actions: %q, %q, %q, %q", m.Actions(), m.Label(0), m.Label(1), m.Label(2),
			m.Label(3))
	}
	for a, want := range map[strips.ActionID]int{-1: 0, 0: 0, 1: 2, 2: 1, 3: 0} {
		variants := m.Variants(a)
		if len(variants) != want {
			t.Errorf("action %d has %d variants, want %d", a, len(variants), want)
		}
		for _, op := range variants {
			if op.Action != a {
				t.Errorf("action %d has a variant of %d", a, op.Action)
			}
		}
	}
	if m := (&strips.Model{}); m.Actions() != 0 || m.Variants(1) != nil {
		t.Error("a model without operators has actions")
	}
}

func TestNearest(t *testing.T) {
	m := lamp()
	m.States = m.States[1:]
	nearest, d := m.Nearest(code("00"))
	if d != 1 || len(nearest) != 2 || nearest[0].Node != 1 || nearest[1].Node != 2 {
		t.Errorf("got %v at %d", nearest, d)
	}
	if nearest, d := m.Nearest(code("0")); d != -1 || nearest != nil {
		t.Errorf("got %v at %d for a wrong length", nearest, d)
	}
}

func TestValidate(t *testing.T) {
	for name, corrupt := range map[string]func(*strips.Model){
		"negative m":        func(m *strips.Model) { m.Predicates = -1 },
		"numbering":         func(m *strips.Model) { m.Operators[1].Action = strips.MaxActions + 1 },
		"predicate names":   func(m *strips.Model) { m.Names = []string{"on"} },
		"names alike":       func(m *strips.Model) { m.Names = []string{"on", "on"} },
		"name of a twin":    func(m *strips.Model) { m.Names = []string{"on", "not-on"} },
		"name with a space": func(m *strips.Model) { m.Names = []string{"on", "the door"} },
		"names":             func(m *strips.Model) { m.Operators[1].Name = "Flick on" },
		"range":             func(m *strips.Model) { m.Operators[0].Add = mask{2} },
		"order":             func(m *strips.Model) { m.Operators[0].Add = mask{1, 0} },
		"add and del":       func(m *strips.Model) { m.Operators[0].Del = mask{0} },
		"pre_pos, pre_neg":  func(m *strips.Model) { m.Operators[0].PrePos = mask{0} },
		"code length":       func(m *strips.Model) { m.States[1].Code = code("1") },
		"node twice":        func(m *strips.Model) { m.States[1].Node = 0 },
		"exception's node": func(m *strips.Model) {
			m.Exceptions = []strips.Exception{
				{Node: 9, Action: 1}}
		},
		"slack's predicate": func(m *strips.Model) {
			m.Slack = []strips.Slack{{Source: 0, Action: 1, Target: 1, Predicate: 2}}
		},
	} {
		m := lamp()
		corrupt(m)
		if err := m.Validate(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, corrupt := range map[string]func(*strips.Model){
		"":               func(*strips.Model) {},
		"variant's name": func(m *strips.Model) { m.Operators[1].Name = "step" },
		"another's name": func(m *strips.Model) { m.Operators[2].Name = "move" },
		"action 0":       func(m *strips.Model) { m.Operators[0].Action = 0 },
		"action out of order": func(m *strips.Model) {
			m.Operators[0],
				m.Operators[2] = m.Operators[2], m.Operators[0]
		},
		"add and toggle":                    func(m *strips.Model) { m.Operators[2].Add = mask{2} },
		"del and toggle":                    func(m *strips.Model) { m.Operators[2].Del = mask{2} },
		"toggle's range":                    func(m *strips.Model) { m.Operators[2].Toggle = mask{3} },
		"nondeterministic outcome's node":   func(m *strips.Model) { m.Nondeterministic[0].Node = 4 },
		"nondeterministic outcome's action": func(m *strips.Model) { m.Nondeterministic[0].Action = 3 },
		"nondeterministic outcome twice": func(m *strips.Model) {
			m.Nondeterministic = append(m.Nondeterministic, m.Nondeterministic[0])
		},
		"one outcome": func(m *strips.Model) {
			m.Nondeterministic[0].Outcomes = m.Nondeterministic[0].Outcomes[:1]
		},
		"outcome's target": func(m *strips.Model) {
			m.Nondeterministic[0].Outcomes[1].Target = 4
		},
		"outcome out of order": func(m *strips.Model) {
			m.Nondeterministic[0].Outcomes[1].Target = 1
		},
		"untried node":   func(m *strips.Model) { m.Untried[0].Node = 4 },
		"untried action": func(m *strips.Model) { m.Untried[0].Action = 3 },
		"outcome's count": func(m *strips.Model) {
			m.Nondeterministic[0].Outcomes[1].Count = 0
		},
	} {
		m := mover()
		m.Untried = []strips.Untried{{Node: 1, Action: 2}}
		corrupt(m)
		if err := m.Validate(); (err == nil) != (name == "") {
			t.Errorf("mover, %q: %v", name, err)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	m := lamp(strips.Exception{Node: 1, Action: 2}, strips.Exception{Node: 3, Action: 1, Shared: true})
	m.Slack = []strips.Slack{{Source: 0, Action: 1, Target: 2, Predicate: 1}}
	var text, again bytes.Buffer
	if err := m.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	read, err := strips.ReadJSON(bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := read.WriteJSON(&again); err != nil {
		t.Fatal(err)
	}
	if again.String() != text.String() {
		t.Errorf("got\n%s\nwant\n%s", again.String(), text.String())
	}
}

func TestJSONRoundTripOfVariants(t *testing.T) {
	m := mover()
	m.Untried = []strips.Untried{{Node: 1, Action: 2}, {Node: 3, Action: 2}}
	var text bytes.Buffer
	if err := m.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	if bad := strings.Replace(text.String(), `{"node":3,"action":"switch"}]`, `{"node":3,"action":"throw"}]`, 1); bad == text.String() {
		t.Errorf("no untried pair in\n%s", bad)
	} else if _, err := strips.ReadJSON(strings.NewReader(bad)); err == nil {
		t.Error("an untried pair of an unknown action is read")
	}
	read, err := strips.ReadJSON(bytes.NewReader(text.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	same := cmp.Options{cmpopts.EquateEmpty(),
		cmp.Comparer(func(a, b strips.State) bool { return a == b })}
	if diff := cmp.Diff(m, read, same); diff != "" {
		t.Error(diff)
	}
}

// Without variants, toggles, nondeterministic outcomes and untried pairs a file is what it was
// before there were any, and such files can be read.
func TestJSONWithoutVariants(t *testing.T) {
	const old = `{
 "predicates": 1,
 "actions": [
  {"name":"on","pre_pos":[],"pre_neg":[0],"add":[0],"del":[]},
  {"name":"off","pre_pos":[0],"pre_neg":[],"add":[],"del":[0]}],
 "states": [
  {"node":0,"code":"0"},
  {"node":1,"code":"1"}],
 "exceptions": [
  {"node":0,"action":"on"}],
 "slack": []
}
`
	m, err := strips.ReadJSON(strings.NewReader(old))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := m.WriteJSON(&text); err != nil || text.String() != old {
		t.Errorf("%v, got\n%s", err, text.String())
	}
}

func TestMalformedJSON(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":       `{}`,
		"null":          `null`,
		"a graph":       `{"labels":["a"],"nodes":[{"support":1}],"edges":[],"refused":[]}`,
		"no predicates": `{"actions":[],"states":[]}`,
		"no actions":    `{"predicates":0,"states":[]}`,
		"no states":     `{"predicates":0,"actions":[]}`,
	} {
		if _, err := strips.ReadJSON(strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), "predicates, actions and states") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzReadJSON(f *testing.F) {
	var text bytes.Buffer
	m := lamp(strips.Exception{Node: 1, Action: 1})
	m.Slack = []strips.Slack{{Source: 0, Action: 1, Target: 2, Predicate: 1}}
	if err := m.WriteJSON(&text); err != nil {
		f.Fatal(err)
	}
	f.Add(text.String())
	text.Reset()
	if err := mover().WriteJSON(&text); err != nil {
		f.Fatal(err)
	}
	f.Add(text.String())
	f.Add(`{"predicates":1,"actions":[{"name":"a"},{"name":"b"},{"name":"a","toggle":[0]}],"states":[]}`)
	f.Add(`{"predicates":0,"actions":[],"states":[],"exceptions":[],"slack":[]}`)
	f.Add(`{}`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := strips.ReadJSON(strings.NewReader(text))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := m.WriteJSON(&out); err != nil {
			t.Fatal(err)
		}
		if _, err := strips.ReadJSON(&out); err != nil {
			t.Fatal(err)
		}
	})
}

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
