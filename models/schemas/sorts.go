package schemas

import (
	"fmt"
	"slices"

	"stripswm/models/strips"
)

// search finds the sorts by which the model is shortest, each a list of sets. It takes the step
// that saves most: of those that join all sets alike, or else those that join two sorts, or take a
// set out of one, as a hand that is like the places, or else those that join two sets to sorts, as
// an object and a place where a skill of each is damaged.
func (t *table) search(sets [][]strips.Predicate) *layout {
	var sorts [][]int
	for i := range sets {
		sorts = append(sorts, []int{i})
	}
	best := t.layout(sets, sorts)
	all := func([]int, []int) bool { return true }
	grows := func(a, b []int) bool { return (len(a) > 1) != (len(b) > 1) }
	steps := []func() [][][]int{
		func() [][][]int { return t.alike(sets, best.sorts) },
		func() [][][]int { return append(pairs(sets, best.sorts, all), without(best.sorts)...) },
		func() (twice [][][]int) {
			for _, once := range pairs(sets, best.sorts, grows) {
				twice = append(twice, pairs(sets, once, grows)...)
			}
			return twice
		},
	}
	for k := 0; k < len(steps); {
		next := best
		for _, sorts := range steps[k]() {
			if l := t.layout(sets, sorts); l.nats < next.nats {
				next = l
			}
		}
		if k++; next != best {
			best, k = next, 0
		}
	}
	return best
}

// pairs are the sorts with two of them joined, for all two that may be.
func pairs(sets [][]strips.Predicate, sorts [][]int, may func(a, b []int) bool) (all [][][]int) {
	for a := range sorts {
		for b := a + 1; b < len(sorts); b++ {
			if may(sorts[a], sorts[b]) && !share(sets, sorts[a], sorts[b]) {
				all = append(all, join(sorts, a, b))
			}
		}
	}
	return all
}

// alike are the sorts with all sets as one that are alone, have no predicate in common, and whose
// predicates have the same roles.
func (t *table) alike(sets [][]strips.Predicate, sorts [][]int) (all [][][]int) {
	byRoles, keys := map[string][]int{}, []string(nil)
	for _, s := range sorts {
		var roles []string
		for _, p := range sets[s[0]] {
			roles = append(roles, t.roles[p])
		}
		slices.Sort(roles)
		key := fmt.Sprint(slices.Compact(roles))
		if len(s) == 1 && !share(sets, byRoles[key], s) {
			if byRoles[key] == nil {
				keys = append(keys, key)
			}
			byRoles[key] = append(byRoles[key], s[0])
		}
	}
	for _, key := range keys {
		sort := byRoles[key]
		rest := slices.DeleteFunc(slices.Clone(sorts), func(s []int) bool {
			return slices.Contains(sort, s[0])
		})
		all = append(all, sorted(append(rest, sort)))
	}
	return all
}

// without are the sorts with a set of one of them alone.
func without(sorts [][]int) (all [][][]int) {
	for n, s := range sorts {
		for k := range s {
			if len(s) > 1 {
				rest := slices.Clone(sorts)
				rest[n] = slices.Delete(slices.Clone(s), k, k+1)
				all = append(all, sorted(append(rest, []int{s[k]})))
			}
		}
	}
	return all
}

func sorted(sorts [][]int) [][]int {
	slices.SortFunc(sorts, slices.Compare)
	return sorts
}

// join is the sorts with two of them as one.
func join(sorts [][]int, a, b int) [][]int {
	joined := slices.Clone(sorts)
	joined[a] = slices.Sorted(slices.Values(slices.Concat(sorts[a], sorts[b])))
	return slices.Delete(joined, b, b+1)
}

// share says whether sets of two sorts have a predicate in common, and so are of two sorts.
func share(sets [][]strips.Predicate, a, b []int) bool {
	return slices.ContainsFunc(a, func(i int) bool {
		return slices.ContainsFunc(b, func(k int) bool { return meet(sets[i], sets[k]) })
	})
}
