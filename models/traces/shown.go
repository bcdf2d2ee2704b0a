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
			continue
		}
		r.look(t, f.Values)
		r.evaluate(t)
		all = append(all, r)
	}
	for _, r := range regions { // the numbers of derived ones grow
		for _, list := range [][]literal{r.members, r.also} {
			for i := range list {
				if list[i].region >= facts {
					list[i].region += len(all) - facts
				}
			}
		}
	}
	return append(all, regions[facts:]...)
}
