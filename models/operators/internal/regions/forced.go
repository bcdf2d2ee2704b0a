package regions

import (
	"context"
	"stripswm/models/operators/internal/work"
)

// Forced splits the states into classes such that two states are in one class
// exactly if every region without slack gives them the same value: zero slack
// forces them together. It returns the class of each state, numbered by first
// state; if the context ends, some classes may not be split yet.
func (d *Decided) Forced(ctx context.Context) []int {
	p, o := d.p, newOracle(d.p, work.UntilDone(ctx))
	same := make([]int, p.states) // first state proved inseparable, or -1
	for s := range same {
		same[s] = -1
	}
	class := p.groups(d.pool)
	for changed := true; changed; {
		changed = false
		first := map[int]int{}
		for s := range p.states {
			r, any := first[class[s]]
			if !any {
				first[class[s]] = s
				continue
			}
			if same[s] == r || o.w.Over() {
				continue
			}
			x, ok := o.solve(o.holds(r), o.holds(s).Not())
			if !ok {
				same[s] = r
				continue
			}
			d.pool = append(d.pool[:len(d.pool):len(d.pool)], p.mustRegion(x))
			class, changed = p.groups(d.pool), true
			break
		}
	}
	return class
}

// Distinguishes says whether regions without slack tell every state from every other; if
// the context ends before that is decided, it says no.
func (d *Decided) Distinguishes(ctx context.Context) bool {
	p, o := d.p, newOracle(d.p, work.UntilDone(ctx))
	for !o.w.Over() {
		first := map[int]int{}
		complements := false
		for s, class := range p.groups(d.pool) {
			r, any := first[class]
			if first[class] = s; !any {
				continue
			}
			x, ok := o.solve(o.holds(r), o.holds(s).Not())
			if !ok {
				return false
			}
			d.pool = append(d.pool[:len(d.pool):len(d.pool)], p.mustRegion(x))
			complements = true
			break
		}
		if !complements {
			return true
		}
	}
	return false
}

// groups numbers the states by their values in the regions, in order of first
// states.
func (p *Problem) groups(regions []*region) []int {
	group := make([]int, p.states)
	for _, c := range regions {
		number := map[[2]int]int{}
		next := 0
		for s := range group {
			key := [2]int{group[s], 0}
			if c.x.Has(s) {
				key[1] = 1
			}
			n, known := number[key]
			if !known {
				n, next = next, next+1
				number[key] = n
			}
			group[s] = n
		}
	}
	return group
}
