package operators

import "slices"

// hitting finds a least-cost choice of items that meets every one of the given
// sets of items (a minimum hitting set), by branch and bound over at most the
// given number of nodes. costs[i] > 0 is the price of item i. It returns the
// choice, ascending, and a lower bound on the cost, equal to it if the choice is
// proved best. Every set must have a member.
func hitting(sets []bitset, costs []int, nodes int) (choice []int, bound int) {
	h := &hitter{costs: costs, nodes: nodes}
	sets = minimal(sets)
	h.best = h.greedy(sets)
	h.bestCost = h.cost(h.best)
	bound = h.packing(sets)
	if bound < h.bestCost {
		h.branch(sets, nil, 0)
		if h.nodes > 0 {
			bound = h.bestCost
		}
	}
	slices.Sort(h.best)
	return h.best, bound
}

type hitter struct {
	costs    []int
	nodes    int
	best     []int
	bestCost int
}

func (h *hitter) cost(choice []int) int {
	sum := 0
	for _, i := range choice {
		sum += h.costs[i]
	}
	return sum
}

// branch tries, for a smallest unmet set, each of its items in turn; an item
// that was tried is not allowed in the branches after it.
func (h *hitter) branch(sets []bitset, chosen []int, cost int) {
	if h.nodes--; h.nodes <= 0 {
		return
	}
	if len(sets) == 0 {
		if cost < h.bestCost {
			h.best, h.bestCost = slices.Clone(chosen), cost
		}
		return
	}
	if cost+h.packing(sets) >= h.bestCost {
		return
	}
	smallest := slices.MinFunc(sets, func(a, b bitset) int { return a.count() - b.count() })
	items := members(smallest)
	gain := make(map[int]int, len(items))
	for _, i := range items {
		for _, s := range sets {
			if s.has(i) {
				gain[i]++
			}
		}
	}
	slices.SortStableFunc(items, func(i, j int) int { return gain[j]*h.costs[i] - gain[i]*h.costs[j] })
	banned := make(bitset, len(smallest))
	for _, i := range items {
		var rest []bitset
		possible := true
		for _, s := range sets {
			if s.has(i) {
				continue
			}
			s = s.clone()
			s.remove(banned)
			if s.empty() {
				possible = false
				break
			}
			rest = append(rest, s)
		}
		if possible {
			h.branch(minimal(rest), append(chosen, i), cost+h.costs[i])
		}
		banned.set(i)
	}
}

// packing is a lower bound: sets without a common item each need their own,
// taken at the price of their cheapest.
func (h *hitter) packing(sets []bitset) int {
	if len(sets) == 0 {
		return 0
	}
	used := make(bitset, len(sets[0]))
	sum := 0
	for _, s := range sets { // minimal has put the small ones first
		if s.meets(used) {
			continue
		}
		used.add(s)
		cheapest := -1
		for i := range s.each {
			if cheapest < 0 || h.costs[i] < cheapest {
				cheapest = h.costs[i]
			}
		}
		sum += cheapest
	}
	return sum
}

// greedy takes the item that meets the most sets for its price, then drops the
// items that turn out not to be needed.
func (h *hitter) greedy(sets []bitset) []int {
	var choice []int
	open := slices.Clone(sets)
	for len(open) > 0 {
		gain := make([]int, len(h.costs))
		for _, s := range open {
			for i := range s.each {
				gain[i]++
			}
		}
		pick := 0
		for i := range gain {
			if gain[i]*h.costs[pick] > gain[pick]*h.costs[i] {
				pick = i
			}
		}
		choice = append(choice, pick)
		open = slices.DeleteFunc(open, func(s bitset) bool { return s.has(pick) })
	}
	for k := 0; k < len(choice); {
		without := newBitset(len(h.costs))
		for j, i := range choice {
			if j != k {
				without.set(i)
			}
		}
		if slices.ContainsFunc(sets, func(s bitset) bool { return !s.meets(without) }) {
			k++
			continue
		}
		choice = slices.Delete(choice, k, k+1)
	}
	return choice
}

// minimal drops sets that contain another one and sorts the rest by size.
func minimal(sets []bitset) []bitset {
	sizes := make([]int, len(sets))
	order := make([]int, len(sets))
	for i, s := range sets {
		sizes[i], order[i] = s.count(), i
	}
	slices.SortStableFunc(order, func(i, j int) int { return sizes[i] - sizes[j] })
	var keep []bitset
	for _, i := range order {
		if !slices.ContainsFunc(keep, func(k bitset) bool { return k.within(sets[i]) }) {
			keep = append(keep, sets[i])
		}
	}
	return keep
}
