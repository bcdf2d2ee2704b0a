package effects

import (
	"cmp"
	"maps"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Fact is that a variable looks in one way.
type Fact struct {
	Variable, Look int
	// Sets are the actions after which it is true, and Clears those after which it is false, whatever
	// it was before; actions of variants among them.
	Sets, Clears []int
	// Doubts are actions of which nobody knows whether they clear it where it is true.
	Doubts []int
}

// does is what a skill or a variant does with a fact.
type does int8

const (
	keeps does = iota
	sets
	clears
	doubts
	depends // it does different things in different states
)

// facts makes facts of the looks of variables, but for one of each variable, which is that no other
// is true. A skill that changes some fact in some states only is several variants: each is what
// changes.
func (r *Result) facts(c *changes) {
	for v := range r.Variables {
		most, depending := 0, []int{}
		counts := make([]int, r.Variables[v].Looks)
		for _, look := range r.Variables[v].After {
			if look >= 0 {
				counts[look]++
			}
		}
		for look, n := range counts {
			if n > counts[most] {
				most = look
			}
			f := Fact{Variable: v, Look: look}
			if slices.ContainsFunc(c.of, func(own []int) bool { return r.done(f, own) == depends }) {
				depending = append(depending, look)
			}
		}
		if len(depending) == 1 { // that a place is empty depends on where the object was
			most = depending[0]
		}
		for look := range counts {
			if look != most {
				r.Facts = append(r.Facts, Fact{Variable: v, Look: look})
			}
		}
	}
	for _, a := range c.attempts {
		r.Actions = append(r.Actions, a.Action)
	}
	for k, own := range c.of {
		if len(own) > 0 {
			r.split(c.skills[k], own)
		}
	}
	r.settle(c)
	// A look that comes and goes by no skill is misread.
	r.Facts = slices.DeleteFunc(r.Facts, func(f Fact) bool { return len(f.Sets)+len(f.Clears) == 0 })
	for i := range r.Facts {
		for _, list := range [][]int{r.Facts[i].Sets, r.Facts[i].Clears, r.Facts[i].Doubts} {
			slices.Sort(list)
		}
	}
	r.disown(c)
}

// events are the successes by action, variants by themselves.
func (r *Result) events(c *changes) map[int][]int {
	all := map[int][]int{}
	for _, own := range c.of {
		for _, i := range own {
			all[r.Actions[i]] = append(all[r.Actions[i]], i)
		}
	}
	return all
}

// disown makes unknown what a success did that images contradict: a fact is otherwise than its
// action leaves it. The id is wrong, or an image is misread, and that the skill did without what
// was missing before says nothing.
func (r *Result) disown(c *changes) {
	for _, own := range r.events(c) {
		for _, f := range r.Facts {
			d := r.done(f, own)
			for _, i := range own {
				before, known := r.Value(f, i, 0)
				after, too := r.Value(f, i, 1)
				wrong := false
				switch d {
				case sets:
					wrong = !after
				case clears:
					wrong = after
				case keeps:
					wrong = before != after
				case doubts:
					wrong = !before && after
				}
				if wrong && known && too {
					r.Actions[i] = 0
				}
			}
		}
	}
}

// Value is a fact's before (0) and after (1) an attempt; it is not known where the look is not
// clear.
func (r *Result) Value(f Fact, attempt, end int) (value, known bool) {
	look := r.Variables[f.Variable].Before[attempt]
	if end == 1 {
		look = r.Variables[f.Variable].After[attempt]
	}
	return look == f.Look, look >= 0
}

// done says what some successes do with a fact.
func (r *Result) done(f Fact, events []int) does {
	var n [2][2]float64 // by the value before and after
	for _, i := range events {
		before, known := r.Value(f, i, 0)
		after, too := r.Value(f, i, 1)
		if known && too {
			n[number(before)][number(after)]++
		}
	}
	chance := max(r.Variables[f.Variable].wrong, leastWrong)
	some := func(these, others float64) bool { // of these, more than are recorded or read wrong
		of := distuv.Binomial{N: these + others, P: chance}
		return these > 0 && of.Survival(these-1) < falsePlaces/float64(len(r.Variables))
	}
	comes, remains := some(n[0][1], n[0][0]), some(n[0][0], n[0][1])
	goes, stays := some(n[1][0], n[1][1]), some(n[1][1], n[1][0])
	switch {
	case comes && remains || stays && goes || comes && goes:
		return depends
	case comes:
		return sets
	case goes:
		return clears
	case n[1][1] > n[1][0]:
		return keeps
	}
	return doubts
}

// settle takes out the doubts of skills that nearly always change other variables and never the
// fact's, since what a skill does is one thing: one that puts a thing at a place is in doubt where
// another one is there, not where a lid is open.
func (r *Result) settle(c *changes) {
	changes := map[int]bool{} // by action: some variable
	for action, own := range r.events(c) {
		changes[action] = r.changes(own)
	}
	own := map[[2]int]bool{} // by variable, action: this one
	for _, f := range r.Facts {
		for _, action := range slices.Concat(f.Sets, f.Clears) {
			own[[2]int{f.Variable, action}] = true
		}
	}
	for i := range r.Facts {
		f := &r.Facts[i]
		f.Doubts = slices.DeleteFunc(f.Doubts, func(action int) bool {
			return changes[action] && !own[[2]int{f.Variable, action}]
		})
	}
}

// changes says whether nearly all of some successes change a variable.
func (r *Result) changes(events []int) bool {
	n := 0
	for _, i := range events {
		n += number(slices.ContainsFunc(r.Variables, func(v Variable) bool {
			return min(v.Before[i], v.After[i]) >= 0 && v.Before[i] != v.After[i]
		}))
	}
	return float64(n) >= (1-mostSurprises)*float64(len(events))
}

// number is 1 for true.
func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// split says what a skill does with each fact, or what its variants do.
func (r *Result) split(skill int, own []int) {
	add := func(action, fact int, d does) {
		f := &r.Facts[fact]
		switch d {
		case sets:
			f.Sets = append(f.Sets, action)
		case clears:
			f.Clears = append(f.Clears, action)
		case doubts:
			f.Doubts = append(f.Doubts, action)
		}
	}
	var some []int // facts that it changes in some states only
	all := make([]does, len(r.Facts))
	for k, f := range r.Facts {
		if all[k] = r.done(f, own); all[k] == depends {
			some = append(some, k)
		}
	}
	if len(some) == 0 {
		for k, d := range all {
			add(skill, k, d)
		}
		return
	}
	byChange := map[string][]int{}
	for _, i := range own {
		change, clear := make([]byte, len(some)), true
		for s, k := range some {
			before, known := r.Value(r.Facts[k], i, 0)
			after, too := r.Value(r.Facts[k], i, 1)
			clear = clear && known && too
			change[s] = byte('0' + number(after) - number(before))
		}
		if clear {
			byChange[string(change)] = append(byChange[string(change)], i)
		}
		r.Actions[i] = 0
	}
	order := slices.SortedFunc(maps.Keys(byChange), func(x, y string) int {
		return cmp.Or(len(byChange[y])-len(byChange[x]), cmp.Compare(x, y))
	})
	for v, change := range order {
		events, action := byChange[change], skill
		if len(events) < fewOfVariant {
			break
		}
		if v > 0 {
			r.Variants = append(r.Variants, skill)
			action = r.skills + len(r.Variants)
		}
		for _, i := range events {
			r.Actions[i] = action
		}
		for k, d := range all {
			if d == depends {
				d = r.done(r.Facts[k], events)
			}
			add(action, k, d)
		}
	}
}
