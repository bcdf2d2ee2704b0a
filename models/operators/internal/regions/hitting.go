package regions

import (
	"slices"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// hitting finds a least-cost choice of items that meets every one of the given
// sets of items (a minimum hitting set), by branch and bound over at most the
// given number of nodes or until the work ends. costs[i] is the price of item i,
// at least 0. It returns the choice, ascending, and a lower bound on the cost,
// equal to it if the choice is proved best. Every set must have a member.
func hitting(w *work.Work, sets []bitset.Set, costs []int, nodes int) (choice []int, bound int) {
	h := &hitter{w: w, costs: costs, nodes: nodes}
	sets = minimal(sets)
	h.choice = h.greedy(sets)
	for _, i := range h.choice {
		h.best += costs[i]
	}
	if bound = h.packing(sets); bound < h.best {
		h.branch(sets, nil, 0)
		if h.nodes > 0 {
			bound = h.best
		}
	}
	slices.Sort(h.choice)
	return h.choice, bound
}

// ones are costs of one each.
func ones(items int) []int { return slices.Repeat([]int{1}, items) }

type hitter struct {
	w      *work.Work
	costs  []int
	nodes  int
	choice []int // the best so far
	best   int   // its cost
}

// branch tries, for a smallest unmet set, each of its items in turn; an item
// that was tried is not allowed in the branches after it.
func (h *hitter) branch(sets []bitset.Set, chosen []int, cost int) {
	h.w.Spend(1 + int64(len(sets)*len(sets)))
	if h.nodes--; h.nodes <= 0 || h.w.Over() {
		h.nodes = 0
		return
	}
	if cost+h.packing(sets) >= h.best {
		return
	}
	if len(sets) == 0 {
		h.choice, h.best = slices.Clone(chosen), cost
		return
	}
	order := members(sets[0]) // minimal has put a smallest one first
	gain := make([]int, len(order))
	for k, i := range order {
		for _, s := range sets {
			if s.Has(i) {
				gain[k]++
			}
		}
	}
	ranks := make([]int, len(order))
	for k := range ranks {
		ranks[k] = k
	}
	slices.SortStableFunc(ranks, func(j, k int) int {
		return gain[k]*(1+h.costs[order[j]]) - gain[j]*(1+h.costs[order[k]])
	})
	banned := make(bitset.Set, len(sets[0]))
	for _, k := range ranks {
		i := order[k]
		rest := make([]bitset.Set, 0, len(sets))
		possible := true
		for _, s := range sets {
			if s.Has(i) {
				continue
			}
			if s.Meets(banned) {
				s = s.Clone()
				s.Remove(banned)
				if s.Empty() {
					possible = false
					break
				}
			}
			rest = append(rest, s)
		}
		if possible {
			h.branch(minimal(rest), append(chosen, i), cost+h.costs[i])
		}
		banned.Set(i)
	}
}

// packing is a lower bound on the cost: sets without a common item each need their own, at the
// price of their cheapest at least.
func (h *hitter) packing(sets []bitset.Set) (price int) {
	if len(sets) == 0 {
		return 0
	}
	used := make(bitset.Set, len(sets[0]))
	for _, s := range sets { // minimal has put the small ones first
		if s.Meets(used) {
			continue
		}
		used.Add(s)
		cheapest := -1
		for i := range s.Each {
			if cheapest < 0 || h.costs[i] < cheapest {
				cheapest = h.costs[i]
			}
		}
		price += cheapest
	}
	return price
}

// greedy takes the item that meets the most sets for its price, then drops the
// items that turn out not to be needed.
func (h *hitter) greedy(sets []bitset.Set) []int {
	var choice []int
	open := slices.Clone(sets)
	for len(open) > 0 {
		gain := make([]int, len(h.costs))
		for _, s := range open {
			for i := range s.Each {
				gain[i]++
			}
		}
		pick := 0
		for i := range gain {
			if gain[i]*(1+h.costs[pick]) > gain[pick]*(1+h.costs[i]) {
				pick = i
			}
		}
		choice = append(choice, pick)
		open = slices.DeleteFunc(open, func(s bitset.Set) bool { return s.Has(pick) })
	}
	for k := 0; k < len(choice); {
		without := bitset.New(len(h.costs))
		for j, i := range choice {
			if j != k {
				without.Set(i)
			}
		}
		if slices.ContainsFunc(sets, func(s bitset.Set) bool { return !s.Meets(without) }) {
			k++
			continue
		}
		choice = slices.Delete(choice, k, k+1)
	}
	return choice
}

// minimal drops sets that contain another one and sorts the rest by size.
func minimal(sets []bitset.Set) []bitset.Set {
	sizes := make([]int, len(sets))
	order := make([]int, len(sets))
	for i, s := range sets {
		sizes[i], order[i] = s.Count(), i
	}
	slices.SortStableFunc(order, func(i, j int) int { return sizes[i] - sizes[j] })
	keep := make([]bitset.Set, 0, len(sets))
	for _, i := range order {
		if !slices.ContainsFunc(keep, func(k bitset.Set) bool { return k.Within(sets[i]) }) {
			keep = append(keep, sets[i])
		}
	}
	return keep
}
