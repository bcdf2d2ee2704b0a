package traces

import (
	"fmt"
	"math"
	"slices"

	"stripswm/models/strips"
)

// Lifted is what the ids of a model have in common: the table behind them, with the names rubbed
// off. What it does not save to say is left out.
type Lifted struct {
	Groups  []Group
	Sorts   [][]int // groups that stand for things of one kind, such as objects, or places
	Schemas []Schema
	Cells   map[strips.ActionID]Cell // of the actions of schemas
}

// Group is facts of which at most one holds. With None, the case that none does, exactly one holds.
type Group struct {
	Facts []strips.Predicate
	None  Literal // the negation of the derived predicate that the facts are members of
	Nats  float64 // evidence for it
}

// Schema is actions that relate to groups in the same way.
type Schema struct {
	Actions []strips.ActionID
	Sorts   []int   // its parameters
	Saves   float64 // nats, beside naming the effects and preconditions of each action alone
}

// Cell is where an action is in the table: its schema, and a group for each parameter. Loose are
// the predicates that are in no group and not the same for all actions of the schema.
type Cell struct {
	Schema int
	Groups []int
	Loose  []strips.Predicate
}

// Lift finds groups and schemas. A sort is groups of equal size that share no fact, if naming them
// as parts of a partition is shorter than naming each alone. A schema is actions whose effects and
// preconditions are the same but for the groups, if its rule and the cells of its actions are
// shorter than what each action does. So nothing is pooled in a world in which nothing is alike.
func (r *Result) Lift() *Lifted {
	l := &Lifted{Cells: map[strips.ActionID]Cell{}}
	facts, bySize := 0, map[int][]int{}
	for i, p := range r.Model.Predicates {
		if p.Members == nil {
			facts++
			continue
		}
		g := Group{None: Literal{Predicate: strips.Predicate(i), Negated: true},
			Nats: r.Report.Predicates[i].Nats}
		for _, m := range p.Members {
			if !m.Negated && r.Model.Predicates[m.Predicate].Members == nil {
				g.Facts = append(g.Facts, m.Predicate)
			}
		}
		if len(g.Facts) == len(p.Members) {
			bySize[len(g.Facts)] = append(bySize[len(g.Facts)], len(l.Groups))
			l.Groups = append(l.Groups, g)
		}
	}
	for size := facts; size > 1; size-- {
		if sort := l.disjoint(bySize[size]); partition(facts, size, len(sort)) > 0 {
			l.Sorts = append(l.Sorts, sort)
		}
	}
	l.schemas(r)
	return l
}

// disjoint returns groups that share no fact, those of most evidence first.
func (l *Lifted) disjoint(groups []int) (sort []int) {
	order := slices.Clone(groups)
	slices.SortStableFunc(order, func(x, y int) int {
		return int(math.Copysign(1, l.Groups[y].Nats-l.Groups[x].Nats))
	})
	used := map[strips.Predicate]bool{}
	for _, g := range order {
		if slices.ContainsFunc(l.Groups[g].Facts, func(f strips.Predicate) bool { return used[f] }) {
			continue
		}
		for _, f := range l.Groups[g].Facts {
			used[f] = true
		}
		sort = append(sort, g)
	}
	slices.Sort(sort)
	return sort
}

// partition is what it saves to name sets of one size as parts of a partition of the items that
// they have: how many items, which, and how they are divided.
func partition(items, size, sets int) float64 {
	if sets < 2 {
		return 0
	}
	factorial := func(n int) float64 { x, _ := math.Lgamma(float64(n + 1)); return x }
	alone := float64(sets)*logChoose(items, size) - factorial(sets)
	pooled := math.Log(float64(items)) + logChoose(items, sets*size) + factorial(sets*size) -
		float64(sets)*factorial(size) - factorial(sets)
	return alone - pooled
}

// role is what an action has in common with others of its schema.
type role struct {
	key    string
	items  int // effects on facts, and preconditions beside them
	groups []int
	loose  []strips.Predicate
}

// role describes an operator by the groups that its facts are in, numbered as they are met.
func (l *Lifted) role(r *Result, o *strips.Operator, of map[strips.Predicate][]int) role {
	var x role
	add := func(what string, p strips.Predicate) {
		x.items++
		x.key += what
		if of[p] == nil {
			x.key += "? "
			x.loose = append(x.loose, p)
			return
		}
		for _, g := range of[p] {
			at := slices.Index(x.groups, g)
			if at < 0 {
				at = len(x.groups)
				x.groups = append(x.groups, g)
			}
			x.key += fmt.Sprint(l.sortOf(g), "#", at, " ")
		}
	}
	for k, list := range [][]strips.Predicate{o.Add, o.Del, o.PrePos, o.PreNeg} {
		for _, p := range list {
			changes := slices.Contains(o.Add, p) || slices.Contains(o.Del, p)
			switch fact := r.Model.Predicates[p].Members == nil; {
			case k < 2 && fact: // the effects on derived predicates follow
				add([]string{"+", "-"}[k], p)
			case k >= 2 && !changes:
				add([]string{"if ", "if not "}[k-2], p)
			}
		}
	}
	return x
}

func (l *Lifted) sortOf(group int) int {
	return slices.IndexFunc(l.Sorts, func(s []int) bool { return slices.Contains(s, group) })
}

// schemas finds those that save something.
func (l *Lifted) schemas(r *Result) {
	of := map[strips.Predicate][]int{} // by fact, and by the predicate of a group: its groups
	for _, sort := range l.Sorts {
		for _, g := range sort {
			for _, p := range append(l.Groups[g].Facts, l.Groups[g].None.Predicate) {
				of[p] = append(of[p], g)
			}
		}
	}
	roles, byKey, keys := map[strips.ActionID]role{}, map[string][]strips.ActionID{}, []string(nil)
	for i := range r.Model.Operators {
		o := &r.Model.Operators[i]
		x := l.role(r, o, of)
		if byKey[x.key] == nil {
			keys = append(keys, x.key)
		}
		roles[o.Action], byKey[x.key] = x, append(byKey[x.key], o.Action)
	}
	item := math.Log(4 * float64(len(r.Model.Predicates))) // an effect or a precondition, and of what
	for _, key := range keys {
		actions := byKey[key]
		first, n := roles[actions[0]], float64(len(actions))
		var varies []int // the loose predicates that are not the same for all
		for k := range first.loose {
			other := func(a strips.ActionID) bool { return roles[a].loose[k] != first.loose[k] }
			if slices.ContainsFunc(actions, other) {
				varies = append(varies, k)
			}
		}
		s := Schema{Actions: actions}
		cell := 0.0
		for _, g := range first.groups {
			s.Sorts = append(s.Sorts, l.sortOf(g))
			cell += math.Log(float64(len(l.Sorts[l.sortOf(g)])))
		}
		cell += float64(len(varies)) * math.Log(float64(len(r.Model.Predicates)))
		rule := float64(first.items) *
			(math.Log(4*float64(len(r.Model.Predicates)+len(l.Sorts))) + math.Log(float64(1+len(s.Sorts))))
		which := logChoose(len(r.Report.Actions), len(actions))
		if s.Saves = float64(first.items)*item*n - rule - which - n*cell; s.Saves <= 0 {
			continue
		}
		for _, a := range actions {
			c := Cell{Schema: len(l.Schemas), Groups: roles[a].groups}
			for _, k := range varies {
				c.Loose = append(c.Loose, roles[a].loose[k])
			}
			l.Cells[a] = c
		}
		l.Schemas = append(l.Schemas, s)
	}
}
