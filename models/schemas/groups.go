package schemas

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"stripswm/models/strips"
)

// group is literals of which at most one holds, if that is so at the start: an operator that begins
// one of them ends another, or needs the others to be false.
type group struct {
	literals []strips.LiteralID
	exactly  bool // an operator that ends one begins another
	kept     bool // else some operators break it: learned ones may lack a precondition or an effect
}

// table is what operators change and need.
type table struct {
	// model has further preconditions: that no other operator of the action leads elsewhere, where
	// one literal says it. The rest is disputed, by operator: conjunctions that must not hold.
	model    *strips.Model
	disputed [][][]strips.Literal
	rules    []strips.Rule    // by operator; what is toggled is in no group
	by       [][]int          // by literal: operators that begin it
	twin     []strips.Literal // by predicate: the first that changes with it
	negated  []bool           // by predicate: groups have its negation
	roles    []string         // by predicate, or its negation: what operators say of it
	usage    []string         // and how many do
}

func newTable(m *strips.Model) *table {
	sharper := *m
	sharper.Operators = slices.Clone(m.Operators)
	t := &table{model: &sharper, disputed: make([][][]strips.Literal, len(m.Operators)),
		by: make([][]int, 2*m.Predicates)}
	for i := range m.Operators {
		o := &sharper.Operators[i]
		for _, conjunction := range m.Disputed(i) {
			if len(conjunction) != 1 {
				t.disputed[i] = append(t.disputed[i], conjunction)
			} else if l := conjunction[0]; l.Negated {
				o.PrePos = append(slices.Clone(o.PrePos), l.Predicate)
			} else {
				o.PreNeg = append(slices.Clone(o.PreNeg), l.Predicate)
			}
		}
		for _, mask := range []*[]strips.Predicate{&o.PrePos, &o.PreNeg} {
			*mask = slices.Compact(slices.Sorted(slices.Values(*mask)))
		}
		plain := *o
		plain.Toggle = nil
		t.rules = append(t.rules, plain.Rule())
		for _, l := range t.rules[i].Sets {
			t.by[l] = append(t.by[l], i)
		}
	}
	first := map[string]strips.Literal{}
	for p := range strips.Predicate(m.Predicates) {
		l := strips.Literal{Predicate: p}
		begins, ends := t.by[l.ID()], t.by[l.ID().Not()]
		key := fmt.Sprint(begins, ends)
		twin, known := first[key]
		if !known || len(begins)+len(ends) == 0 {
			twin = l
			first[fmt.Sprint(ends, begins)] = strips.Literal{Predicate: p, Negated: true}
			first[key] = l
		}
		t.twin = append(t.twin, twin)
	}
	return t
}

// groups finds those that grow from a literal, and those that preconditions keep, the largest
// first. A group and that of its negations are one: of both the number that holds stays the same.
// Groups have literals in common, not these and their negations: what is in the hand is nowhere
// else.
func (t *table) groups() (all []group) {
	var found []group
	for l := range strips.LiteralID(len(t.by)) {
		if t.twin[l.Predicate()].Predicate == l.Predicate() {
			literals, kept := t.grow(l)
			found = append(found, group{literals, true, kept})
		}
	}
	for _, literals := range t.cliques() {
		found = append(found, group{literals, false, true})
	}
	slices.SortStableFunc(found, func(a, b group) int { return len(b.literals) - len(a.literals) })
	common, seen := map[strips.LiteralID]int{}, map[string]bool{}
	for _, g := range found {
		slices.Sort(g.literals)
		votes := 0
		for i, l := range g.literals {
			votes += 2*(common[l]-common[l.Not()])*len(g.literals) + 2 - 4*int(l&1)
			if i == 0 { // which decides if nothing else does
				votes += 1 - 2*int(l&1)
			}
		}
		for k, l := range g.literals {
			if votes < 0 {
				l = l.Not()
			}
			g.literals[k] = l
			common[l] = max(common[l], 1-common[l.Not()])
		}
		if key := fmt.Sprint(g.literals); len(g.literals) > 1 && !seen[key] {
			seen[key], all = true, append(all, g)
		}
	}
	t.describe(all)
	return all
}

// describe finds what operators say of each predicate, or of its negation where groups have that.
func (t *table) describe(groups []group) {
	t.negated = make([]bool, t.model.Predicates)
	for _, g := range slices.Backward(groups) {
		for _, l := range g.literals {
			t.negated[l.Predicate()] = l&1 == 1
		}
	}
	for p := range strips.Predicate(t.model.Predicates) {
		if twin := t.twin[p]; twin.Predicate != p {
			t.negated[p] = t.negated[twin.Predicate] != twin.Negated
		}
		count := map[string]int{}
		for i := range t.model.Operators {
			role := ""
			for k, list := range masks(&t.model.Operators[i]) {
				if slices.Contains(list, p) {
					role += fmt.Sprint(kind(k).of(t.negated[p]), " ")
				}
			}
			count[role]++
		}
		t.roles = append(t.roles, fmt.Sprint(slices.Sorted(maps.Keys(count))))
		t.usage = append(t.usage, fmt.Sprint(count))
	}
}

// changes counts the literals of a group that each operator begins, those that it needs and ends,
// and those that it ends whether they hold or not.
type changes []struct{ begins, ends, clears int }

func (c changes) add(t *table, l strips.LiteralID, n int) {
	for _, i := range t.by[l] {
		c[i].begins += n
	}
	for _, i := range t.by[l.Not()] {
		if slices.Contains(t.rules[i].Needs, l) {
			c[i].ends += n
		} else {
			c[i].clears += n
		}
	}
}

// unbalanced is how many changes operator i is short of. What clears literals may do so to all but
// the one that it begins.
func (c changes) unbalanced(i int) int {
	x := c[i]
	if x.ends == 0 {
		x.clears = min(x.clears, 1)
	}
	return max(x.begins-x.ends-x.clears, x.ends+x.clears-x.begins)
}

// maxGroup bounds how far a group grows, since many literals are tried at each step.
const maxGroup = 200

// grow adds to a literal those that operators begin where they end one, or end where they begin
// one, that which leaves least unbalanced first, until all operators keep the group. It returns the
// group that saves most, of this and those that no further literal makes better, and whether all
// operators keep it; nil if there is none.
func (t *table) grow(seed strips.LiteralID) (best []strips.LiteralID, kept bool) {
	c, in := make(changes, len(t.rules)), make([]bool, len(t.by))
	group, sum, most := []strips.LiteralID(nil), 0, 0.0
	// add adds a literal n times, and returns how the sum of what is unbalanced changes.
	add := func(l strips.LiteralID, n int) (by int) {
		touched := slices.Concat(t.by[l], t.by[l.Not()])
		for _, i := range touched {
			by -= c.unbalanced(i)
		}
		c.add(t, l, n)
		for _, i := range touched {
			by += c.unbalanced(i)
		}
		return by
	}
	for next := seed; next >= 0 && len(group) < maxGroup; {
		sum += add(next, 1)
		in[next], group = true, append(group, next)
		least, tried := 0, map[strips.LiteralID]bool{}
		next = -1
		for i, rule := range t.rules {
			for _, l := range rule.Sets {
				if c[i].begins > c[i].ends+c[i].clears { // what it ends is missing
					l = l.Not()
				}
				if t.twin[l.Predicate()].Predicate != l.Predicate() {
					continue // another name of a fact
				}
				if c.unbalanced(i) == 0 || in[l] || in[l.Not()] || tried[l] {
					continue
				}
				tried[l] = true
				by := add(l, 1)
				add(l, -1)
				if next < 0 || by < least || by == least && l < next {
					next, least = l, by
				}
			}
		}
		if sum > 0 && next >= 0 && least <= 0 {
			continue
		}
		if s := t.saves(len(group), c); s > most || sum == 0 && best == nil {
			most, best, kept = s, slices.Clone(group), sum == 0
		}
		if sum == 0 {
			break
		}
	}
	return best, kept
}

// saves is what a group saves in nats for each operator that changes it: what those that keep it
// change is one of the group, not one of all literals. It takes to say where it grows from and to
// what size, and which operators do not keep it.
func (t *table) saves(size int, c changes) float64 {
	touch, broken := 0, 0
	for i, x := range c {
		touch += min(x.begins+x.ends+x.clears, 1)
		broken += min(c.unbalanced(i), 1)
	}
	all := float64(len(t.by))
	return (float64(touch-broken)*math.Log(all/float64(size)) - logChoose(touch, broken) -
		math.Log(float64(touch+1)*all*float64(size))) / float64(touch)
}

// cliques are literals that exclude each other, in which each operator that begins one ends the
// other or needs it to be false: nothing is put where something is.
func (t *table) cliques() (all [][]strips.LiteralID) {
	excludes := func(a, b strips.LiteralID) bool {
		allows := func(i int) bool {
			r := t.rules[i]
			return !slices.Contains(r.Sets, b.Not()) && !slices.Contains(r.Needs, b.Not())
		}
		return a.Predicate() != b.Predicate() && len(t.by[a]) > 0 &&
			!slices.ContainsFunc(t.by[a], allows)
	}
	both := func(a, b strips.LiteralID) bool { return excludes(a, b) && excludes(b, a) }
	for a, by := range t.by {
		if len(by) == 0 {
			continue
		}
		for _, n := range slices.Concat(t.rules[by[0]].Sets, t.rules[by[0]].Needs) {
			clique := []strips.LiteralID{strips.LiteralID(a), n.Not()}
			if !both(clique[0], clique[1]) {
				continue
			}
			for l := range strips.LiteralID(len(t.by)) {
				if !slices.ContainsFunc(clique, func(c strips.LiteralID) bool { return !both(c, l) }) {
					clique = append(clique, l)
				}
			}
			all = append(all, clique)
		}
	}
	return all
}

func logChoose(n, k int) float64 { return combin.LogGeneralizedBinomial(float64(n), float64(k)) }
