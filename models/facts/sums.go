package facts

import (
	"slices"

	"stripswm/models/strips"
	"stripswm/models/traces"
)

// sum is a weighted number of facts that hold, which no action changes: a place invariant of Petri
// nets (Murata 1989). That an object is at one place is one, and, where facts say how high each
// stack is, the number of blocks.
type sum struct {
	Weights []int64 `json:"weights"` // by predicate
	Total   int64   `json:"total"`
	known   bool    // the total is
}

// maxWeight bounds weights, so that products do not overflow; a sum with greater ones is dropped.
const maxWeight = 1 << 20

// findSums finds all sums, as a basis: each fact begins as one of its own, and each action, and
// each static interval in which the total is another, takes one away and adds multiples of it to
// the others that it changes. Derived predicates follow from facts.
func findSums(m *traces.Model, actions []strips.Rule, excludes, intervals []set) (basis []sum) {
	for p, d := range m.Predicates {
		if d.Members == nil && changesAreKnown(strips.Predicate(p), actions, excludes) {
			w := make([]int64, len(m.Predicates))
			w[p] = 1
			basis = append(basis, sum{Weights: w})
		}
	}
	for _, a := range actions {
		basis = keepSums(basis, func(s *sum) (by int64) {
			for _, l := range a.Sets {
				by += s.Weights[l.Predicate()] * (1 - 2*int64(l&1))
			}
			return by
		})
	}
	for _, holds := range readRight(intervals, basis) {
		basis = keepSums(basis, func(s *sum) int64 {
			switch total, known := s.of(holds); {
			case known && s.known:
				return total - s.Total
			case known:
				s.Total, s.known = total, true
			}
			return 0
		})
	}
	return slices.DeleteFunc(basis, func(s sum) bool { return !s.known })
}

// readRight are the static intervals without those in which a sum has another total than nearly
// everywhere: they are misread.
func readRight(intervals []set, sums []sum) []set {
	for _, s := range sums {
		count, most, all := map[int64]int{}, int64(0), 0
		for _, holds := range intervals {
			if total, known := s.of(holds); known {
				all++
				if count[total]++; count[total] > count[most] {
					most = total
				}
			}
		}
		if wrong := all - count[most]; wrong > 0 && float64(wrong) <= misread*float64(all) {
			intervals = slices.DeleteFunc(slices.Clone(intervals), func(holds set) bool {
				total, known := s.of(holds)
				return known && total != most
			})
		}
	}
	return intervals
}

// changesAreKnown says whether each action that sets a predicate applies only where it has another
// value.
func changesAreKnown(p strips.Predicate, actions []strips.Rule, excludes []set) bool {
	for _, a := range actions {
		for _, l := range a.Sets {
			if l.Predicate() == p && !slices.ContainsFunc(a.Needs, excludes[l].Has) {
				return false
			}
		}
	}
	return true
}

// keepSums is a basis of the sums that do not change, given by how much something changes each.
func keepSums(basis []sum, change func(*sum) int64) []sum {
	by, least, pivot := make([]int64, len(basis)), 0, -1
	for k := range basis {
		size := 0
		if by[k] = change(&basis[k]); by[k] != 0 {
			for _, w := range basis[k].Weights {
				if w != 0 {
					size++
				}
			}
			if pivot < 0 || size < least {
				least, pivot = size, k
			}
		}
	}
	if pivot < 0 {
		return basis
	}
	kept := basis[:0:0]
	for k, s := range basis {
		if by[k] == 0 {
			kept = append(kept, s)
		} else if k != pivot {
			if s, fits := s.less(basis[pivot], by[k], by[pivot]); fits {
				kept = append(kept, s)
			}
		}
	}
	return kept
}

// less is the sum times y less another times x, in smallest integers.
func (s sum) less(other sum, x, y int64) (sum, bool) {
	r := sum{Weights: make([]int64, len(s.Weights)), known: s.known && other.known}
	divisor := int64(0)
	for p := range r.Weights {
		r.Weights[p] = s.Weights[p]*y - other.Weights[p]*x
		divisor = greatestDivisor(divisor, r.Weights[p])
	}
	fits := true
	for p := range r.Weights {
		r.Weights[p] /= divisor
		fits = fits && max(r.Weights[p], -r.Weights[p]) <= maxWeight
	}
	r.Total = (s.Total*y - other.Total*x) / divisor
	return r, fits
}

func greatestDivisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// of is the sum of what holds, and whether all its facts are known.
func (s sum) of(holds set) (total int64, known bool) {
	for p, w := range s.Weights {
		l := strips.Literal{Predicate: strips.Predicate(p)}.ID()
		switch {
		case w == 0:
		case holds.Has(l):
			total += w
		case !holds.Has(l.Not()):
			return 0, false
		}
	}
	return total, true
}

// holds says whether the total is what it should be, all facts being known.
func (s sum) holds(in set) bool {
	total, _ := s.of(in)
	return total == s.Total
}

// repairs appends the literals of which at least one holds wherever the sum does.
func (s sum) repairs(holds set, to []literal) []literal {
	total, _ := s.of(holds)
	for p, w := range s.Weights {
		l := strips.Literal{Predicate: strips.Predicate(p)}.ID()
		if holds.Has(l) {
			l, w = l.Not(), -w
		}
		if total > s.Total && w < 0 || total < s.Total && w > 0 {
			to = append(to, l)
		}
	}
	return to
}
