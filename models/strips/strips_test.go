package strips_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	for name, spoil := range map[string]func(*strips.Model){
		"negative m":        func(m *strips.Model) { m.Predicates = -1 },
		"numbering":         func(m *strips.Model) { m.Operators[1].Action = 7 },
		"names":             func(m *strips.Model) { m.Operators[1].Name = "Flick on" },
		"range":             func(m *strips.Model) { m.Operators[0].Add = mask{2} },
		"order":             func(m *strips.Model) { m.Operators[0].Add = mask{1, 0} },
		"add and del":       func(m *strips.Model) { m.Operators[0].Del = mask{0} },
		"pre_pos, pre_neg":  func(m *strips.Model) { m.Operators[0].PrePos = mask{0} },
		"code length":       func(m *strips.Model) { m.States[1].Code = code("1") },
		"node twice":        func(m *strips.Model) { m.States[1].Node = 0 },
		"exception's node":  func(m *strips.Model) { m.Exceptions = []strips.Exception{{Node: 9, Action: 1}} },
		"slack's predicate": func(m *strips.Model) { m.Slack = []strips.Slack{{Source: 0, Action: 1, Target: 1, Predicate: 2}} },
	} {
		m := lamp()
		spoil(m)
		if err := m.Validate(); err == nil {
			t.Errorf("%s: no error", name)
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

func TestMalformedJSON(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":       `{}`,
		"null":          `null`,
		"a graph":       `{"labels":["a"],"nodes":[{"support":1}],"edges":[],"refused":[]}`,
		"no predicates": `{"actions":[],"states":[]}`,
		"no actions":    `{"predicates":0,"states":[]}`,
		"no states":     `{"predicates":0,"actions":[]}`,
	} {
		if _, err := strips.ReadJSON(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "predicates, actions and states") {
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
