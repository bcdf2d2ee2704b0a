package traces

import (
	"slices"
	"strconv"

	"stripswm/models/strips"
)

// Literal is a predicate or its negation.
type Literal = strips.Literal

// Predicate is a fact, or a derived predicate: the OR of mutually exclusive literals of predicates
// before it. Its effects are the sums of theirs, since at most one of them holds.
type Predicate struct {
	Add, Del []strips.ActionID // ascending
	Members  []Literal         // none of a fact
}

// Model is what was learned. A predicate vector has the value of each fact, then of each derived
// predicate.
type Model struct {
	Predicates []Predicate       // the facts first
	Operators  []strips.Operator // by action; of those that never succeeded nothing is known
}

func (l literal) public() Literal {
	return Literal{Predicate: strips.Predicate(l.region), Negated: l.negated}
}

// predicates are those of regions.
func predicates(t *trace, regions []*region) []Predicate {
	all := make([]Predicate, len(regions))
	for i, r := range regions {
		for _, m := range r.members {
			all[i].Members = append(all[i].Members, m.public())
		}
		for _, e := range r.effects {
			list := &all[i].Del
			if e.adds {
				list = &all[i].Add
			}
			*list = append(*list, t.ids[e.action])
		}
		slices.Sort(all[i].Add)
		slices.Sort(all[i].Del)
	}
	return all
}

// operator is that of an action; its masks are ascending as the regions are.
func operator(t *trace, action int, regions []*region, required []requirement) strips.Operator {
	id := t.ids[action]
	o := strips.Operator{Action: id, Name: strconv.Itoa(int(id))}
	for i, r := range regions {
		for _, e := range r.effects {
			if e.action == action && e.adds {
				o.Add = append(o.Add, strips.Predicate(i))
			} else if e.action == action {
				o.Del = append(o.Del, strips.Predicate(i))
			}
		}
	}
	for _, r := range required {
		if r.negated {
			o.PreNeg = append(o.PreNeg, strips.Predicate(r.region))
		} else {
			o.PrePos = append(o.PrePos, strips.Predicate(r.region))
		}
	}
	for i, r := range regions { // who knows what it would leave
		if p := strips.Predicate(i); slices.Contains(r.doubt, action) && !slices.Contains(o.PreNeg, p) {
			o.PrePos = slices.DeleteFunc(o.PrePos, func(q strips.Predicate) bool { return q == p })
			o.PreNeg = append(o.PreNeg, p)
		}
	}
	slices.Sort(o.PrePos)
	slices.Sort(o.PreNeg)
	return o
}
