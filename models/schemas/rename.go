package schemas

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var pddlName = regexp.MustCompile("^[a-z][a-z0-9_-]*$")

// Rename gives sorts, objects, predicates, relations, schemas and actions other names, by the
// names they have. What has one name gets one name. The error says which name is unknown, is no
// name of PDDL, or would be that of two; then nothing is renamed.
func (l *Lifted) Rename(to map[string]string) error {
	known := map[string]bool{}
	for _, all := range l.named() {
		after := map[string]string{}
		for _, name := range all {
			known[*name] = true
			now := *name
			if next, has := to[*name]; has {
				now = next
			}
			if old, taken := after[now]; taken && old != *name {
				return fmt.Errorf("schemas: %s and %s would both be %s", old, *name, now)
			}
			after[now] = *name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(to)) {
		if !known[name] {
			return fmt.Errorf("schemas: nothing has the name %s", name)
		}
		if !pddlName.MatchString(to[name]) {
			return fmt.Errorf("schemas: %q is no name: want a letter, then letters, digits, _ and -, "+
				"all small", to[name])
		}
	}
	for i := range l.Schemas {
		r := &l.Schemas[i].relation
		if next, has := to[r.name]; has {
			r.text = strings.Replace(r.text, "("+r.name+" ", "("+next+" ", 1)
		}
	}
	for _, all := range l.named() {
		for _, name := range all {
			if next, has := to[*name]; has {
				*name = next
			}
		}
	}
	return nil
}

// named are the names of sorts, of objects, of predicates and relations, and of actions.
func (l *Lifted) named() (all [4][]*string) {
	add := func(kind int, names []string) {
		for i := range names {
			all[kind] = append(all[kind], &names[i])
		}
	}
	for i := range l.Sorts {
		all[0] = append(all[0], &l.Sorts[i].Name)
		add(1, l.Sorts[i].Objects)
	}
	add(2, l.symbols)
	for i := range l.Atoms {
		all[2] = append(all[2], &l.Atoms[i].Symbol)
		add(1, l.Atoms[i].Objects)
	}
	for i := range l.Schemas {
		s := &l.Schemas[i]
		all[3] = append(all[3], &s.Name)
		add(0, s.Sorts)
		if s.relation.name != "" {
			all[2] = append(all[2], &s.relation.name)
		}
	}
	for i := range l.Actions {
		all[3] = append(all[3], &l.Actions[i].Name)
		add(1, l.Actions[i].Objects)
	}
	return all
}
