package traces

import (
	"cmp"
	"slices"

	"stripswm/models/internal/bitset"
)

// look keeps the values that images show, but for intervals of which they show both.
func (r *region) look(t *trace, values [][][2]Value) {
	if values == nil {
		return
	}
	r.seenHolds, r.seenFails = bitset.New(t.intervals), bitset.New(t.intervals)
	for s, segment := range values {
		for i, v := range segment {
			for k, interval := range [2]int{t.before[s][i], t.after[s][i]} {
				switch v[k] {
				case True:
					r.seenHolds.Set(interval)
				case False:
					r.seenFails.Set(interval)
				}
			}
		}
	}
	both := r.seenHolds.Clone()
	both.Keep(r.seenFails)
	r.seenHolds.Remove(both)
	r.seenFails.Remove(both)
}

// fillIn takes the values that attempts do not tell from what images show of the region, or of its
// negation.
func (r *region) fillIn(t *trace, values [][][2]Value, negated bool) {
	var seen region
	if seen.look(t, values); seen.seenHolds == nil {
		return
	}
	holds, fails := seen.seenHolds, seen.seenFails
	if negated {
		holds, fails = fails, holds
	}
	holds.Remove(r.fails)
	fails.Remove(r.holds)
	holds.Add(r.holds)
	fails.Add(r.fails)
	r.holds, r.fails = holds, fails
}

// withShown adds the regions that images show after the facts, but for those that are there
// already.
func (t *trace) withShown(regions []*region, shown []Shown) []*region {
	if len(shown) == 0 {
		return regions
	}
	facts := 0
	for facts < len(regions) && regions[facts].members == nil {
		facts++
	}
	all := slices.Clone(regions[:facts])
	for _, f := range shown {
		r := &region{shown: true, nats: f.Nats, variable: f.Variable}
		for _, id := range f.Set {
			r.effects = append(r.effects, effect{t.index[id-1], true})
		}
		for _, id := range f.Clear {
			r.effects = append(r.effects, effect{t.index[id-1], false})
		}
		for _, id := range f.Doubt {
			r.doubt = append(r.doubt, t.index[id-1])
		}
		slices.SortFunc(r.effects, func(x, y effect) int { return cmp.Compare(x.action, y.action) })
		known := func(x *region) bool { return sameEffects(x, r, false) || sameEffects(x, r, true) }
		if i := slices.IndexFunc(all, known); i >= 0 {
			all[i].variable = f.Variable
			all[i].fillIn(t, f.Values, sameEffects(all[i], r, true))
			continue
		}
		r.look(t, f.Values)
		r.evaluate(t)
		all = append(all, r)
	}
	for _, r := range regions { // the numbers of derived ones grow
		r.of(func(l *literal) {
			if l.region >= facts {
				l.region += len(all) - facts
			}
		})
	}
	return append(all, regions[facts:]...)
}

// somewhere returns the unions of facts that images show of which each is false after the actions
// that make another one true: a thing that is put at one place is at no other, and of those that
// may leave, an action may need one to be there. A union that an action may change or not, or that
// never changes, is none.
func (t *trace) somewhere(regions []*region) (unions []*region) {
	var groups [][]literal
	for i, r := range regions {
		if !r.shown {
			continue
		}
		at := slices.IndexFunc(groups, func(g []literal) bool {
			return !slices.ContainsFunc(g, func(m literal) bool {
				return !r.replaces(regions[m.region]) || !regions[m.region].replaces(r)
			})
		})
		if at < 0 {
			at, groups = len(groups), append(groups, nil)
		}
		groups[at] = append(groups[at], literal{i, false})
	}
	for _, g := range groups {
		u := &region{members: g, level: 1, shown: true}
		if len(g) > 1 && u.either(t, regions) && u.holds.Count() > 0 && u.fails.Count() > 0 {
			unions = append(unions, u)
		}
	}
	return unions
}

// replaces says whether some actions make the region true, and all of these make another one false.
func (r *region) replaces(other *region) bool {
	some := false
	for _, e := range r.effects {
		if some = some || e.adds; e.adds && !slices.Contains(other.effects, effect{e.action, false}) {
			return false
		}
	}
	return some
}

// either gives a union the effects and intervals of its members. It is false where some action
// makes some of them false and leaves others as they are.
func (r *region) either(t *trace, regions []*region) bool {
	adds, ends, out := make([]int, len(t.ids)), make([]int, len(t.ids)), make([]int, len(t.ids))
	r.holds, r.fails = bitset.New(t.intervals), bitset.New(t.intervals)
	for i, m := range r.members {
		of := regions[m.region]
		if r.holds.Add(of.holds); i == 0 {
			r.fails.Add(of.fails)
		}
		r.fails.Keep(of.fails)
		for _, e := range of.effects {
			if e.adds {
				adds[e.action]++
			} else {
				ends[e.action]++
			}
		}
		for _, a := range of.doubt { // its operators need the member to be false
			out[a]++
		}
	}
	for a := range adds {
		switch {
		case adds[a] > 0:
			r.effects = append(r.effects, effect{a, true})
		case ends[a] > 0 && ends[a]+out[a] < len(r.members):
			return false
		case ends[a] > 0:
			r.effects = append(r.effects, effect{a, false})
		}
	}
	return true
}
