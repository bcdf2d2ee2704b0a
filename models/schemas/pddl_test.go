package schemas_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"stripswm/models/schemas"
	"stripswm/models/strips"
)

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// expression is a word or a list of PDDL.
type expression struct {
	word string
	list []expression
}

// parse reads one expression.
func parse(text string) expression {
	var read func() expression
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	read = func() expression {
		word := words[0]
		words = words[1:]
		if word != "(" {
			return expression{word: word}
		}
		e := expression{list: []expression{}}
		for words[0] != ")" {
			e.list = append(e.list, read())
		}
		words = words[1:]
		return e
	}
	e := read()
	if len(words) > 0 {
		panic(fmt.Sprint("after the expression: ", words))
	}
	return e
}

func (e expression) head() string {
	if len(e.list) == 0 {
		return ""
	}
	return e.list[0].word
}

// part is the rest of the list that begins with a word.
func (e expression) part(head string) []expression {
	for i, x := range e.list {
		if x.head() == head {
			return x.list[1:]
		}
		if x.word == head {
			return []expression{e.list[i+1]}
		}
	}
	return nil
}

// typed reads names with their types: a b - t c - u.
func typed(list []expression) (names, types []string) {
	for i := 0; i < len(list); i++ {
		if list[i].word != "-" {
			names = append(names, list[i].word)
			continue
		}
		for i++; len(types) < len(names); {
			types = append(types, list[i].word)
		}
	}
	return names, types
}

// binding is the object of each variable.
type binding map[string]string

// domain is a PDDL domain, and facts the atoms that hold.
type domain struct {
	text    expression
	objects map[string][]string // by type
}

type facts map[string]bool

func read(text string) domain {
	d := domain{parse(text), map[string][]string{}}
	names, types := typed(d.text.part(":constants"))
	for i, n := range names {
		d.objects[types[i]] = append(d.objects[types[i]], n)
	}
	return d
}

// each calls do with the variables bound to all objects of their types.
func (d domain) each(variables []expression, b binding, do func(binding)) {
	names, types := typed(variables)
	var bind func(k int, b binding)
	bind = func(k int, b binding) {
		if k == len(names) {
			do(b)
			return
		}
		for _, o := range d.objects[types[k]] {
			next := binding{names[k]: o}
			for v, x := range b {
				next[v] = x
			}
			bind(k+1, next)
		}
	}
	bind(0, b)
}

func (b binding) ground(e expression) string {
	var words []string
	for _, x := range e.list {
		if o, bound := b[x.word]; bound {
			x.word = o
		}
		words = append(words, x.word)
	}
	return strings.Join(words, " ")
}

func (d domain) holds(e expression, b binding, f facts) bool {
	all := true
	switch e.head() {
	case "and":
		for _, x := range e.list[1:] {
			all = all && d.holds(x, b, f)
		}
		return all
	case "or":
		if len(e.list) == 1 {
			panic("planners read no empty disjunction")
		}
		return slices.ContainsFunc(e.list[1:], func(x expression) bool { return d.holds(x, b, f) })
	case "not":
		return !d.holds(e.list[1], b, f)
	case "forall":
		d.each(e.list[1].list, b, func(b binding) { all = all && d.holds(e.list[2], b, f) })
		return all
	case "=":
		words := strings.Fields(b.ground(e))
		return words[1] == words[2]
	}
	return f[b.ground(e)]
}

// gather collects what an effect adds and deletes.
func (d domain) gather(e expression, b binding, f, add, del facts) {
	switch e.head() {
	case "and":
		for _, x := range e.list[1:] {
			if x.head() == "and" {
				panic("the validator VAL reads no (and) in the (and) of an effect")
			}
			d.gather(x, b, f, add, del)
		}
	case "forall":
		d.each(e.list[1].list, b, func(b binding) { d.gather(e.list[2], b, f, add, del) })
	case "when":
		if d.holds(e.list[1], b, f) {
			d.gather(e.list[2], b, f, add, del)
		}
	case "not":
		del[b.ground(e.list[1])] = true
	default:
		add[b.ground(e)] = true
	}
}

// successors are the facts after each grounded action that applies.
func (d domain) successors(f facts) map[string]facts {
	all := map[string]facts{}
	for _, e := range d.text.list {
		if e.head() != ":action" {
			continue
		}
		variables := e.part(":parameters")[0].list
		d.each(variables, nil, func(b binding) {
			if !d.holds(e.part(":precondition")[0], b, f) {
				return
			}
			add, del, next := facts{}, facts{}, facts{}
			d.gather(e.part(":effect")[0], b, f, add, del)
			for x := range f {
				if !del[x] {
					next[x] = true
				}
			}
			for x := range add {
				next[x] = true
			}
			name := e.list[1].word
			names, _ := typed(variables)
			for _, v := range names {
				name += " " + b[v]
			}
			all[name] = next
		})
	}
	return all
}

// initial are the facts and the goal of a problem.
func initial(t tester, l *schemas.Lifted, start, goal *strips.State) (facts, expression) {
	var text bytes.Buffer
	if err := l.WriteProblem(&text, start, goal); err != nil {
		t.Fatal(err)
	}
	e, f := parse(text.String()), facts{}
	for _, x := range e.part(":init") {
		f[binding{}.ground(x)] = true
	}
	return f, e.part(":goal")[0]
}

// same fails unless the domain allows what the model allows in a state, and leads to the same.
func same(t tester, m *strips.Model, l *schemas.Lifted, d domain, s strips.State) {
	t.Helper()
	f, _ := initial(t, l, &s, nil)
	ids := map[string]strips.ActionID{}
	for _, a := range l.Actions {
		if _, twice := ids[a.String()]; twice {
			t.Fatalf("two operators are %q", a)
		}
		ids[a.String()] = a.ID
	}
	got := map[strips.ActionID]facts{}
	for name, next := range d.successors(f) {
		id, known := ids[name]
		if !known {
			t.Fatalf("state %v: no id for %q", s, name)
		}
		if got[id] != nil && !cmp.Equal(got[id], next) {
			t.Fatalf("state %v: two actions of %d disagree", s, id)
		}
		got[id] = next
	}
	for a := strips.ActionID(1); int(a) <= m.Actions(); a++ {
		next, allowed := m.Successor(s, a)
		if allowed != (got[a] != nil) {
			t.Fatalf("state %v: the model allows %d: %v", s, a, allowed)
		}
		if !allowed {
			continue
		}
		want, goal := initial(t, l, &next, &next)
		if diff := cmp.Diff(want, got[a]); diff != "" || !d.holds(goal, nil, got[a]) ||
			next != s && d.holds(goal, nil, f) {
			t.Fatalf("state %v, action %d: %s", s, a, diff)
		}
	}
}

// written reads the domain of a lifted model.
func written(t tester, l *schemas.Lifted) domain {
	var text bytes.Buffer
	if err := l.WriteDomain(&text); err != nil {
		t.Fatal(err)
	}
	return read(text.String())
}
