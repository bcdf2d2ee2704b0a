package schemas

import (
	"fmt"
	"slices"
	"strings"

	"stripswm/models/strips"
)

// Lifted is a model by objects.
type Lifted struct {
	Groups  []Group  `json:"groups"`
	Sorts   []Sort   `json:"sorts"`
	Schemas []Schema `json:"schemas"`
	Actions []Action `json:"actions"` // by operator
	Atoms   []Atom   `json:"atoms"`   // by predicate
	table   *table
	layout  *layout
	symbols []string // names
	taken   names    // of symbols and relations
}

// Group is literals of which at most one holds, if that is so at the start: what begins one of them
// ends another, or needs the others to be false.
type Group struct {
	Literals []string `json:"literals"` // names of predicates, with "!" before those negated
	Exactly  bool     `json:"exactly"`  // what ends one begins another
}

// Sort is objects that play the same part.
type Sort struct {
	Name    string   `json:"name"`
	Objects []string `json:"objects"`
}

// Atom is a predicate by objects. A negated one holds where the predicate does not.
type Atom struct {
	Predicate string   `json:"predicate"`
	Symbol    string   `json:"symbol"`
	Objects   []string `json:"objects,omitempty"`
	Negated   bool     `json:"negated,omitempty"`
	lifted    string   // String as it was found
}

// String is the predicate in words, such as not at mug sort2_3.
func (a Atom) String() string {
	words := append([]string{a.Symbol}, a.Objects...)
	if a.Negated {
		words = append([]string{"not"}, words...)
	}
	return strings.Join(words, " ")
}

// Schema is operators that are alike but for objects.
type Schema struct {
	Name      string   `json:"name"`
	Sorts     []string `json:"sorts"` // of the parameters
	Operators int      `json:"operators"`
	relation  relation
}

// Action is an operator by objects. One that is alone has no schema, and no objects.
type Action struct {
	ID      strips.ActionID `json:"id"`
	Label   string          `json:"label"` // of the id
	Name    string          `json:"name"`
	Objects []string        `json:"objects,omitempty"`
	Alone   bool            `json:"alone,omitempty"`
	lifted  string          // String as it was found
}

// String is the action as a plan has it, without parentheses, such as pick mug sort2_3.
func (a Action) String() string { return strings.Join(append([]string{a.Name}, a.Objects...), " ") }

// Lift finds groups, sorts and schemas. Where nothing is alike there are no sorts and no schemas.
// The error says why a model cannot be written by schemas.
func Lift(m *strips.Model) (*Lifted, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	single := map[strips.State]bool{}
	for r := range m.Refusals() {
		if _, applies := m.Predict(r.Code, r.Action); applies {
			single[r.Code] = true
		}
	}
	if len(single) > 0 {
		return nil, fmt.Errorf("schemas: the model refuses actions in %d single state(s) (exceptions, "+
			"several outcomes, or untried), which no schema says: write it without schemas", len(single))
	}
	l := &Lifted{table: newTable(m)}
	groups := l.table.groups()
	for _, g := range groups {
		var names []string
		for _, x := range g.literals {
			names = append(names, strings.Repeat("!", int(x&1))+m.PredicateLabel(x.Predicate()))
		}
		if g.kept {
			l.Groups = append(l.Groups, Group{names, g.exactly})
		}
	}
	l.layout = l.table.search(l.table.sets(groups))
	l.nameObjects()
	l.nameAtoms()
	l.nameActions()
	l.relate()
	for i := range l.Actions {
		l.Actions[i].lifted = l.Actions[i].String()
	}
	for i := range l.Atoms {
		l.Atoms[i].lifted = l.Atoms[i].String()
	}
	return l, nil
}

// labels are the names of the actions of rows.
func (l *Lifted) labels(rows []row) (all []string) {
	for _, r := range rows {
		all = append(all, l.table.model.Operators[r.operator].Name)
	}
	return all
}

// nameObjects names objects by what the names of their actions have in common, and other objects of
// the sort do not have.
func (l *Lifted) nameObjects() {
	taken := names{}
	for n, size := range l.layout.sizes {
		sort, labels := Sort{Name: fmt.Sprint("sort", n+1)}, make([][]string, size)
		for _, s := range l.layout.schemas {
			for k, p := range s.params {
				for i, label := range l.labels(s.rows) {
					if p == n {
						labels[s.rows[i].args[k]] = append(labels[s.rows[i].args[k]], label)
					}
				}
			}
		}
		usual := common(slices.Concat(labels...))
		for index, of := range labels {
			own := slices.DeleteFunc(common(of), func(w string) bool { return slices.Contains(usual, w) })
			if len(own) == 0 {
				own = []string{fmt.Sprint(index + 1)}
			}
			sort.Objects = append(sort.Objects, taken.take(sort.Name, own))
		}
		for _, name := range sortNames {
			of := func(o string) bool { return strings.TrimRight(o, "0123456789") == name }
			if !slices.ContainsFunc(sort.Objects, func(o string) bool { return !of(o) }) {
				sort.Name = name // NameByRole's
			}
		}
		l.Sorts = append(l.Sorts, sort)
	}
}

// nameAtoms names atoms by what their predicates have in common. One without objects keeps its
// name.
func (l *Lifted) nameAtoms() {
	atoms, labels := l.layout.atoms, make([][]string, l.layout.symbols)
	label := func(p int) string { return l.table.model.PredicateLabel(strips.Predicate(p)) }
	l.symbols, l.taken = make([]string, l.layout.symbols), names{}
	for p, a := range atoms {
		if len(a.args) == 0 {
			l.symbols[a.symbol], l.taken[label(p)] = label(p), true
		} else if !a.negated {
			labels[a.symbol] = append(labels[a.symbol], label(p))
		}
	}
	for p, a := range atoms {
		if l.symbols[a.symbol] == "" {
			l.symbols[a.symbol] = l.taken.take("fact", common(labels[a.symbol]))
		}
		atom := Atom{Predicate: label(p), Symbol: l.symbols[a.symbol], Negated: a.negated}
		for _, o := range a.args {
			atom.Objects = append(atom.Objects, l.Sorts[o.sort].Objects[o.index])
		}
		l.Atoms = append(l.Atoms, atom)
	}
}

// nameActions names schemas by what their actions have in common, but for objects.
func (l *Lifted) nameActions() {
	taken := names{}
	for _, o := range l.table.model.Operators {
		l.Actions = append(l.Actions, Action{ID: o.Action, Label: o.Name, Alone: true})
	}
	for _, s := range l.layout.schemas {
		schema, objects := Schema{Operators: len(s.rows)}, []string(nil)
		for _, p := range s.params {
			schema.Sorts = append(schema.Sorts, l.Sorts[p].Name)
			objects = append(objects, l.Sorts[p].Objects...)
		}
		schema.Name = taken.take("act", slices.DeleteFunc(common(l.labels(s.rows)),
			func(w string) bool { return slices.Contains(objects, w) }))
		l.Schemas = append(l.Schemas, schema)
		for _, r := range s.rows {
			a := &l.Actions[r.operator]
			a.Name, a.Alone = schema.Name, false
			for k, p := range s.params {
				a.Objects = append(a.Objects, l.Sorts[p].Objects[r.args[k]])
			}
		}
	}
	for _, i := range l.layout.alone {
		l.Actions[i].Name = taken.take("act", words(l.Actions[i].Label))
	}
}

// names are taken.
type names map[string]bool

// take joins words to a name that is not taken, and takes it. A name begins with a letter, if need
// be with that of another word.
func (n names) take(first string, words []string) string {
	base := strings.Join(words, "_")
	if base == "" || base[0] < 'a' {
		base = strings.Trim(first+"_"+base, "_")
	}
	name := base
	for k := 2; n[name]; k++ {
		name = fmt.Sprintf("%s_%d", base, k)
	}
	n[name] = true
	return name
}

// words splits a name at all that is neither a letter nor a digit.
func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
}

// common is the words that all names have, in the order of the first name, each once.
func common(labels []string) (all []string) {
	for i, label := range labels {
		has := words(label)
		for _, w := range has {
			if i == 0 && !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
		all = slices.DeleteFunc(all, func(w string) bool { return !slices.Contains(has, w) })
	}
	return all
}
