package schemas

import (
	"maps"
	"slices"

	"stripswm/models/strips"
)

// meet says whether two lists have a predicate in common.
func meet(a, b []strips.Predicate) bool {
	return slices.ContainsFunc(a, func(p strips.Predicate) bool { return slices.Contains(b, p) })
}

// sets are groups, and facts that belong to a thing although they may hold at once:
//   - a group with the facts that only change where one of it is spoken of: a vehicle at its
//     places, and what is in it,
//   - a hub with its followers: operators that change a follower speak of no other fact of the
//     hub's group. A vehicle at a place, and parcels there. Hubs of one follower are one.
//   - what is in no other set, alone.
func (t *table) sets(groups []group) (all [][]strips.Predicate) {
	in := map[strips.Predicate]bool{}
	add := func(predicates []strips.Predicate) {
		for p, twin := range t.twin {
			if slices.Contains(predicates, twin.Predicate) {
				predicates = append(predicates, strips.Predicate(p))
			}
		}
		set := slices.Compact(slices.Sorted(slices.Values(predicates)))
		same := func(other []strips.Predicate) bool { return slices.Equal(other, set) }
		if slices.ContainsFunc(all, same) {
			return
		}
		all = append(all, set)
		for _, p := range set {
			in[p] = true
		}
	}
	for _, g := range groups {
		var predicates []strips.Predicate
		for _, l := range g.literals {
			predicates = append(predicates, l.Predicate())
		}
		add(predicates)
	}
	loners := slices.Clone(all)
	for p := range strips.Predicate(t.model.Predicates) {
		if !in[p] {
			loners = append(loners, []strips.Predicate{p})
		}
	}
	several := len(all)
	operators := make([][2][]int, t.model.Predicates) // that change a predicate, and that speak of it
	for i := range t.model.Operators {
		for k, list := range masks(&t.model.Operators[i]) {
			for _, p := range list {
				operators[p][1] = append(operators[p][1], i)
				if kind(k) >= adds {
					operators[p][0] = append(operators[p][0], i)
				}
			}
		}
	}
	with := make([][]strips.Predicate, several)
	type hub struct{ of, followers []strips.Predicate }
	var hubs []hub
	for f := range strips.Predicate(t.model.Predicates) {
		changes, covered, of := operators[f][0], map[int]bool{}, []strips.Predicate(nil)
		for k, s := range loners {
			spoken, one, more := map[int]bool{}, strips.Predicate(-1), slices.Contains(s, f)
			for _, p := range s {
				for _, i := range operators[p][1] {
					if slices.Contains(changes, i) {
						more = more || one >= 0 && one != p
						spoken[i], one = true, p
					}
				}
			}
			always := len(changes) > 0 && len(spoken) == len(changes)
			if k < several && always && !slices.Contains(s, f) {
				with[k] = append(with[k], f)
			}
			if one >= 0 && !more && (k < several || always) {
				of = append(of, one)
				maps.Copy(covered, spoken)
			}
		}
		if len(covered) < len(changes) || len(of) == 0 {
			continue
		}
		followers := []strips.Predicate{f}
		hubs = slices.DeleteFunc(hubs, func(h hub) bool {
			isOf := func(p strips.Predicate) bool { return slices.Contains(of, p) }
			same := slices.ContainsFunc(h.of, isOf)
			if same {
				of, followers = append(of, h.of...), append(followers, h.followers...)
			}
			return same
		})
		hubs = append(hubs, hub{of, followers})
	}
	for _, h := range hubs {
		add(append(h.followers, h.of...))
	}
	for k, more := range with {
		if len(more) > 0 {
			add(append(more, all[k]...))
		}
	}
	for _, s := range loners[several:] {
		if !in[s[0]] {
			add(s)
		}
	}
	return all
}
