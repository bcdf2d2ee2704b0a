package schemas

import (
	"fmt"
	"slices"
	"strings"

	"stripswm/models/strips"
)

// roles are what sorts and symbols are to each other: items are at places.
type roles struct {
	item, place int // sorts
	at          int // symbol
}

// sortNames are those of sorts by role, and then of others. Their objects are item1, item2 and so
// on, of which words that actions have in common are told apart.
var sortNames = []string{"item", "place", "thing", "part", "unit"}

// NameByRole names sorts, objects, predicates and schemas by the part that they play, where the
// skills have no names that tell: put item3 place5 begins at item3 place5, and take ends it. An
// item is what goes from one place to another in a schema, or what is at no place one at a time, as
// in a hand. Other predicates are named by the one schema that begins them. Without items and
// places, and with more sorts than there are names for, all keep their names.
func (l *Lifted) NameByRole() {
	r, found := l.roles()
	if !found || len(l.Sorts) > len(sortNames) {
		return
	}
	other, to := 2, map[string]string{}
	for i, sort := range l.Sorts {
		k := slices.Index([]int{r.item, r.place}, i)
		if k < 0 {
			k, other = other, other+1
		}
		to[sort.Name] = sortNames[k]
		for n, o := range sort.Objects {
			to[o] = fmt.Sprint(sortNames[k], n+1)
		}
	}
	actions := names{}
	for i, s := range l.layout.schemas {
		name := "act"
		for k, p := range s.params {
			switch adds, deletes := s.changes(r.at, r.item, k); {
			case p != r.item:
			case adds && deletes:
				name = "move"
			case adds:
				name = "put"
			case deletes:
				name = "take"
			}
		}
		to[l.Schemas[i].Name] = actions.take("", []string{name})
	}
	symbols := names{"at": true}
	for symbol, name := range l.symbols {
		words := []string{"fact"}
		begins := func(s schema) bool {
			return slices.ContainsFunc(s.items, func(x item) bool {
				return x.kind == adds && x.symbol == symbol
			})
		}
		if k := slices.IndexFunc(l.layout.schemas, begins); k >= 0 &&
			!slices.ContainsFunc(l.layout.schemas[k+1:], begins) {
			words = []string{"after", to[l.Schemas[k].Name]}
		}
		if with := l.with(symbol, r.item, r.at); with != 0 {
			words = [][]string{{"unplaced"}, nil, {"placed"}}[with+1]
		} else if with := l.with(symbol, r.place, r.at); with != 0 {
			words = [][]string{{"free"}, nil, {"taken"}}[with+1]
		}
		if to[name] = "at"; symbol != r.at {
			to[name] = symbols.take("", words)
		}
	}
	_ = l.Rename(to) // fails where a name of one kind is that of another: then all keep theirs
}

// roles finds the relation that has most facts, and whose objects of one sort are items.
func (l *Lifted) roles() (r roles, found bool) {
	facts, sorts := make([]int, l.layout.symbols), make([][]object, l.layout.symbols)
	for _, a := range l.layout.atoms {
		facts[a.symbol]++
		sorts[a.symbol] = a.args
	}
	most := 0
	for symbol, args := range sorts {
		if len(args) != 2 || args[0].sort == args[1].sort || facts[symbol] <= most {
			continue
		}
		for k := range args {
			if item := args[k].sort; l.moves(item) || l.heldAlone(item) {
				r, found, most = roles{item, args[1-k].sort, symbol}, true, facts[symbol]
				break
			}
		}
	}
	return r, found
}

// moves says whether a schema ends a fact of an object of the sort and another one, and begins such
// a fact.
func (l *Lifted) moves(sort int) bool {
	for _, s := range l.layout.schemas {
		for k, p := range s.params {
			begins, ends := 0, 0
			for _, x := range s.items {
				if p == sort && len(x.args) == 2 && slices.Contains(x.args, object{sort, k}) {
					begins += btoi(x.kind == adds)
					ends += btoi(x.kind == deletes)
				}
			}
			if begins > 0 && ends > 0 {
				return true
			}
		}
	}
	return false
}

// heldAlone says whether a fact of each object of the sort alone excludes those of all others.
func (l *Lifted) heldAlone(sort int) bool {
	for _, g := range l.Groups {
		in := map[int]bool{}
		for _, text := range g.Literals {
			x, err := l.table.model.FindLiteral(text)
			if a := l.layout.atoms[x.Predicate].args; err == nil && len(a) == 1 && a[0].sort == sort {
				in[a[0].index] = true
			}
		}
		if len(in) == l.layout.sizes[sort] {
			return true
		}
	}
	return false
}

// changes says whether a schema adds and deletes facts of a symbol of its parameter k, which is of
// the sort.
func (s *schema) changes(symbol, sort, k int) (adding, deleting bool) {
	for _, x := range s.items {
		if x.symbol == symbol && slices.Contains(x.args, object{sort, k}) {
			adding, deleting = adding || x.kind == adds, deleting || x.kind == deletes
		}
	}
	return adding, deleting
}

// with is 1 where a symbol's fact of each object of the sort holds with any of those of another
// symbol, -1 where it holds with none of them, and else 0.
func (l *Lifted) with(symbol, sort, of int) (sign int) {
	for _, a := range l.layout.atoms {
		if a.symbol == symbol && (len(a.args) != 1 || a.args[0].sort != sort) {
			return 0
		}
	}
	for _, s := range l.layout.schemas {
		for k, p := range s.params {
			if p != sort {
				continue
			}
			begins, ends := s.changes(of, sort, k)
			adding, deleting := s.changes(symbol, sort, k)
			net, now := btoi(begins)-btoi(ends), btoi(adding)-btoi(deleting)
			if net == 0 && now == 0 {
				continue
			}
			if net*now == 0 || sign != 0 && net*now != sign {
				return 0
			}
			sign = net * now
		}
	}
	return sign
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Label returns the model that was lifted, with skills and predicates named by objects, such as
// put_item3_place5, where their names have changed since. A skill of several operators has the
// words that these have in common. The error says which two would have one name.
func (l *Lifted) Label(m *strips.Model) (*strips.Model, error) {
	labelled := *m
	labelled.Operators, labelled.Names = slices.Clone(m.Operators), nil
	of, changed := map[strips.ActionID][]string{}, map[strips.ActionID]bool{}
	for _, a := range l.Actions {
		of[a.ID] = append(of[a.ID], a.String())
		changed[a.ID] = changed[a.ID] || a.String() != a.lifted
	}
	for i, o := range labelled.Operators {
		if changed[o.Action] {
			labelled.Operators[i].Name = strings.Join(common(of[o.Action]), "_")
		}
	}
	for p, a := range l.Atoms {
		name := m.PredicateLabel(strips.Predicate(p))
		if a.String() != a.lifted {
			name = strings.Join(words(a.String()), "_")
		}
		labelled.Names = append(labelled.Names, name)
	}
	return &labelled, labelled.Validate()
}
