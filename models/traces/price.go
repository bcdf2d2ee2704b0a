package traces

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// pool has the sets that were accepted of some items: facts of actions, unions of facts, and unions
// of unions. A further set is named from all sets of its size or, where those of its form share no
// item, from the items that none of them has. In a world in which each skill is undone by one other
// the last of 35 such facts is certain before one looks at it, and the first costs as much as any
// two actions with a sign.
type pool struct {
	items   int
	forms   map[form]*schema
	settled int // items in sets of any form that has several
}

// form is how many items a set has, and how many of these have the rarer sign.
type form struct{ size, rarer int }

// schema is what is accepted of a form.
type schema struct {
	count int
	of    map[int][]signed // by item: the set with it
	apart int              // sets that share an item with one of more evidence
}

// signed is an item of a set.
type signed struct {
	item int
	sign bool
}

// named is the set that names a region: its members or, of a fact, its effects.
func (r *region) named() []signed {
	var all []signed
	for _, m := range r.members {
		all = append(all, signed{m.region, m.negated})
	}
	if all == nil {
		for _, e := range r.effects {
			all = append(all, signed{e.action, e.adds})
		}
	}
	return all
}

func formOf(set []signed) form {
	n := 0
	for _, s := range set {
		if s.sign {
			n++
		}
	}
	return form{len(set), min(n, len(set)-n)}
}

func newPool(items int) *pool { return &pool{items: items, forms: map[form]*schema{}} }

func (p *pool) accept(set []signed) {
	key := formOf(set)
	s := p.forms[key]
	if s == nil {
		s = &schema{of: map[int][]signed{}}
		p.forms[key] = s
	}
	if s.meets(set) {
		s.apart++
		return
	}
	s.count++
	for _, x := range set {
		s.of[x.item] = set
	}
}

// meets says whether some item of the set is in another one.
func (s *schema) meets(set []signed) bool {
	return slices.ContainsFunc(set, func(x signed) bool { return s.of[x.item] != nil })
}

// settle counts the items that forms with several sets have.
func (p *pool) settle() {
	all := map[int]bool{}
	for _, s := range p.forms {
		if s.count > 1 {
			for item := range s.of {
				all[item] = true
			}
		}
	}
	p.settled = len(all)
}

// price is what it takes to name a set, in nats, and whether as one of a form. now has the sets
// that were accepted in this round.
func (p *pool) price(set []signed, now *pool) (nats float64, pooled bool) {
	key := formOf(set)
	alone := supports(p.items, key.size)
	s := p.forms[key]
	if s == nil || now != nil && now.forms[key] != nil && now.forms[key].meets(set) {
		return alone, false
	}
	count, covered := s.count, len(s.of)
	if same(s.of[set[0].item], set) {
		count, covered = count-1, covered-key.size
	} else if s.meets(set) {
		return alone, false
	}
	if count < 2 {
		return alone, false
	}
	signs := logChoose(key.size, key.rarer)
	if 2*key.rarer == key.size {
		signs -= math.Ln2
	}
	free := p.items - covered
	left := float64(free) / float64(key.size*count)
	share := (float64(covered) + 0.5) / (float64(max(p.settled, covered)) + 1)
	nats = logChoose(free-1, key.size-1) + signs + math.Log(max(1, left)) -
		math.Log(share) - math.Log((float64(count)+0.5)/float64(count+s.apart+1))
	return min(alone, nats), nats < alone
}

// has says whether a set is named as one of a form.
func (p *pool) has(set []signed) bool {
	_, pooled := p.price(set, nil)
	return pooled
}

// same says whether two sets are, up to a change of all signs.
func same(x, y []signed) bool {
	return len(x) == len(y) && slices.EqualFunc(x, y, func(a, b signed) bool {
		return a.item == b.item && (a.sign == b.sign) == (x[0].sign == y[0].sign)
	})
}

// pooled are the forms of several sets that share no item, small ones first.
func (p *pool) pooled() []form {
	keys := slices.SortedFunc(maps.Keys(p.forms), func(x, y form) int {
		return cmp.Or(x.size-y.size, x.rarer-y.rarer)
	})
	return slices.DeleteFunc(keys, func(k form) bool {
		return p.forms[k].count < 2
	})
}
