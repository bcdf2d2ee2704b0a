package schemas

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"stripswm/models/strips"
)

// object is one of a sort.
type object struct{ sort, index int }

// every is the index of an argument that stands for all objects of the sort.
const every = -1

// atom is a predicate by objects. A negated one has the other value.
type atom struct {
	symbol  int
	args    []object
	negated bool
}

// kind is what an operator says of an atom.
type kind int

const (
	needs kind = iota
	needsNot
	adds
	deletes
	toggles
)

// item is a literal of an operator. In a schema, the index of an argument is that of a parameter.
type item struct {
	kind   kind
	symbol int
	args   []object
	but    []object // one, or none, that is not among every
}

// schema is operators that are alike but for objects.
type schema struct {
	items  []item
	params []int // sorts
	rows   []row
}

// row is an operator, and the objects that are its parameters.
type row struct {
	operator int
	args     []int
}

// layout is how a model is written by sorts.
type layout struct {
	sorts   [][]int // sets; those that are alone in their sort give no argument
	sizes   []int   // objects, by sort of several sets
	atoms   []atom  // by predicate
	symbols int
	schemas []schema
	alone   []int // operators of no schema
	nats    float64
}

// layout writes the model. Predicates that have all their objects in common are told apart by their
// roles, or else by their order.
func (t *table) layout(sets [][]strips.Predicate, sorts [][]int) *layout {
	l := &layout{sorts: sorts, atoms: make([]atom, t.model.Predicates)}
	keys := make([]string, t.model.Predicates)
	for _, s := range sorts {
		if len(s) == 1 {
			continue
		}
		for index, k := range s {
			for _, p := range sets[k] {
				keys[p] += fmt.Sprint(len(l.sizes), " ")
				l.atoms[p].args = append(l.atoms[p].args, object{len(l.sizes), index})
				l.nats += math.Log(float64(len(s)))
			}
		}
		l.sizes = append(l.sizes, len(s))
	}
	for p, key := range keys {
		if key == "" {
			keys[p] = fmt.Sprint("alone ", p)
		}
	}
	order := make([]string, len(keys))
	for _, tell := range [][]string{t.roles, t.usage, order} {
		rank, shared := map[string]int{}, map[string]bool{}
		for p, a := range l.atoms {
			place := keys[p] + fmt.Sprint(a.args)
			order[p] = fmt.Sprint(rank[place])
			rank[place]++
			shared[keys[p]] = shared[keys[p]] || rank[place] > 1
		}
		for p := range keys {
			if shared[keys[p]] {
				keys[p] += tell[p]
			}
		}
	}
	symbols, negations := map[string]int{}, []int(nil) // more of its atoms are negated than are not
	for p, key := range keys {
		if _, known := symbols[key]; !known {
			symbols[key], negations = len(negations), append(negations, 0)
		}
		l.atoms[p].symbol = symbols[key]
		if negations[symbols[key]]--; t.negated[p] {
			negations[symbols[key]] += 2
		}
	}
	l.symbols = len(negations)
	for p := range l.atoms {
		l.atoms[p].negated = t.negated[p] != (negations[l.atoms[p].symbol] > 0)
	}
	t.pool(l)
	return l
}

// masks are those of an operator, by kind.
func masks(o *strips.Operator) [][]strips.Predicate {
	return [][]strips.Predicate{o.PrePos, o.PreNeg, o.Add, o.Del, o.Toggle}
}

// of is the kind for the negation of a predicate.
func (k kind) of(negated bool) kind {
	if negated {
		return [...]kind{needsNot, needs, deletes, adds, toggles}[k]
	}
	return k
}

// items are the literals of an operator as atoms, sorted.
func (l *layout) items(o *strips.Operator) (all []item) {
	for k, list := range masks(o) {
		for _, p := range list {
			a := l.atoms[p]
			all = append(all, item{kind: kind(k).of(a.negated), symbol: a.symbol, args: a.args})
		}
	}
	slices.SortFunc(all, compareItems)
	return all
}

func compareItems(a, b item) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.symbol, b.symbol),
		slices.CompareFunc(a.args, b.args, func(a, b object) int {
			return cmp.Or(cmp.Compare(a.sort, b.sort), cmp.Compare(a.index, b.index))
		}))
}

// forAll puts one item for those that differ in one argument, which together is every object, or
// every object but one for what is needed: an object is nowhere else. What is added counts as
// deleted too, since adding wins.
func (l *layout) forAll(items []item) (all []item) {
	done := make([]bool, len(items))
	for i, next := range items {
		for at := 0; at < len(next.args) && !done[i]; at++ {
			alike := func(x item, k kind) bool {
				if x.kind != k || x.symbol != next.symbol {
					return false
				}
				args := slices.Clone(x.args)
				args[at] = next.args[at]
				return slices.Equal(args, next.args)
			}
			of := next.args[at].sort
			but := make([]object, l.sizes[of])
			for index := range but {
				but[index] = object{of, index}
			}
			for _, x := range items {
				if alike(x, next.kind) || next.kind == deletes && alike(x, adds) {
					but = slices.DeleteFunc(but, func(o object) bool { return o == x.args[at] })
				}
			}
			if l.sizes[of]-len(but) < 2 || len(but) > 1 || len(but) == 1 && next.kind >= adds {
				continue
			}
			for k, x := range items {
				done[k] = done[k] || alike(x, next.kind)
			}
			args := slices.Clone(next.args)
			args[at].index = every
			all = append(all, item{next.kind, next.symbol, args, but})
		}
		if !done[i] {
			all = append(all, next)
		}
	}
	slices.SortFunc(all, compareItems)
	return all
}

// rule is an operator as a schema of its own: objects are variables, which are the parameters.
func (l *layout) rule(o *strips.Operator, operator int) (s schema, key string) {
	var variables []object
	each := func(do func(*object)) {
		for _, x := range s.items {
			for _, list := range [][]object{x.args, x.but} {
				for k := range list {
					if list[k].index != every {
						do(&list[k])
					}
				}
			}
		}
	}
	for _, x := range l.forAll(l.items(o)) {
		s.items = append(s.items, item{x.kind, x.symbol, slices.Clone(x.args), slices.Clone(x.but)})
	}
	each(func(o *object) {
		if !slices.Contains(variables, *o) {
			variables = append(variables, *o)
		}
	})
	slices.SortStableFunc(variables, func(a, b object) int { return a.sort - b.sort })
	each(func(o *object) { o.index = slices.Index(variables, *o) })
	r := row{operator: operator}
	for _, v := range variables {
		s.params, r.args = append(s.params, v.sort), append(r.args, v.index)
	}
	key = fmt.Sprint(s.items)
	s.rows = []row{r}
	return s, key
}

// pool finds the schemas. Operators are pooled if the rule, which operators have it and the objects
// of each are shorter than each operator alone.
func (t *table) pool(l *layout) {
	byKey, keys := map[string]*schema{}, []string(nil)
	for i := range t.model.Operators {
		s, key := l.rule(&t.model.Operators[i], i)
		known := byKey[key]
		twin := func(r row) bool { return slices.Equal(r.args, s.rows[0].args) }
		switch {
		case t.disputed[i] != nil || known != nil && slices.ContainsFunc(known.rows, twin):
			l.alone = append(l.alone, i)
		case known == nil:
			byKey[key], keys = &s, append(keys, key)
		default:
			known.rows = append(known.rows, s.rows[0])
		}
	}
	literal := math.Log(float64(5 * t.model.Predicates)) // what it is, and of what
	price := func(i int) float64 {
		return literal * float64(len(slices.Concat(masks(&t.model.Operators[i])...)))
	}
	for _, i := range l.alone {
		l.nats += price(i)
	}
	for _, key := range keys {
		s := byKey[key]
		alone, pooled := 0.0, logChoose(len(t.model.Operators), len(s.rows))
		for _, r := range s.rows {
			alone += price(r.operator)
		}
		for _, x := range s.items {
			pooled += literal + float64(len(x.args)+len(x.but))*math.Log(float64(len(s.params)+1))
		}
		for _, p := range s.params {
			pooled += float64(len(s.rows)) * math.Log(float64(l.sizes[p]))
		}
		if l.nats += min(alone, pooled); pooled < alone && len(s.rows) > 1 {
			l.schemas = append(l.schemas, *s)
			continue
		}
		for _, r := range s.rows {
			l.alone = append(l.alone, r.operator)
		}
	}
	slices.Sort(l.alone)
}
