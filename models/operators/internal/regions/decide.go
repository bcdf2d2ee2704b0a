package regions

import (
	"context"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
	"stripswm/models/strips"
)

// Decided is a problem of which it is known what can be separated.
type Decided struct {
	p         *Problem
	pool      []*region  // together they separate what can be separated
	lost      bitset.Set // the separation constraints that cannot be separated
	undecided bitset.Set // those for which the context ended too early
}

// Decide asks of each missing pair whether a region separates it, beginning with the regions that
// are known, of which those are left out that do not fit. A trusted missing pair (s, a) can be
// separated exactly if there is a region that holds in all sources of a and not in s (the opposite
// case is its complement), so the least sum of eta over every number of predicates is the number of
// pairs without one. Regions are added until together they separate all others.
func (p *Problem) Decide(ctx context.Context, known ...bitset.Set) *Decided {
	d := &Decided{p: p, undecided: p.constraints.Clone(), lost: make(bitset.Set, len(p.constraints))}
	add := func(c *region) {
		d.pool = append(d.pool, c)
		d.undecided.Remove(c.cover)
	}
	for _, x := range known {
		if c, ok := p.regionOf(x); ok {
			add(c)
		}
	}
	o := newOracle(p, work.UntilDone(ctx))
	for _, constraint := range members(d.undecided) {
		if o.w.Over() {
			break
		}
		if !d.undecided.Has(constraint) {
			continue
		}
		assumption := o.separating(constraint, +1)
		if x, ok := o.solve(assumption[:]...); ok {
			add(p.mustRegion(x))
			continue
		}
		d.lost.Set(constraint)
		d.undecided.Clear(constraint)
	}
	return d
}

// Lost are the missing pairs that no region separates, by action and state: the
// least sum of eta is their number.
func (d *Decided) Lost() []Pair {
	var out []Pair
	for constraint := range d.lost.Each {
		if a, s := d.p.pair(constraint); a < len(d.p.actions) {
			out = append(out, Pair{State: stateID(s), Action: actionID(a)})
		}
	}
	return out
}

// Undecided is how many missing pairs were not reached before the context ended.
func (d *Decided) Undecided() int { return d.undecided.Count() }

// Learn chooses regions as the demands ask, with the work given. What it fails on
// is said in terms of nodes and predicates; ctx bounds the questions that have to
// be answered for any model.
func (d *Decided) Learn(ctx context.Context, w *work.Work, demands Demands) (*Solution, error) {
	l := &search{Demands: demands, Decided: d, w: w}
	lost := d.lost.Clone()
	lost.Add(d.undecided)
	l.out = lost
	l.want = d.p.constraints.Clone()
	l.want.Remove(lost)
	s, err := l.separateStates(ctx)
	if err != nil {
		return nil, err
	}
	s = d.p.withRoom(s, l.Predicates)
	if !d.undecided.Empty() { // the others hold for the decided pairs only
		s.Proved, s.Bounds = Proved{Xi: s.Proved.Xi}, Bounds{Xi: s.Bounds.Xi}
	}
	switch {
	case s.price == 0:
		s.Proved.Xi = true
	case s.Bounds.Xi == 0: // paid for on request, not for need
		s.Proved, s.Bounds = Proved{}, Bounds{}
	}
	if s.Bounds.Xi == 0 {
		inseparable := d.lost.Count()
		s.Proved.Eta = s.Proved.Eta || d.undecided.Empty() && s.Eta == inseparable
		s.Bounds.Eta = max(s.Bounds.Eta, inseparable)
	}
	return s, nil
}

// members lists a set, which may then change.
func members(b bitset.Set) []int {
	list := make([]int, 0, b.Count())
	for i := range b.Each {
		list = append(list, i)
	}
	return list
}

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

// Alike lists the states that zero slack forces together with one before them, each after the first
// of these.
func (d *Decided) Alike(ctx context.Context) (pairs [][2]strips.StateID) {
	first := map[int]int{}
	for s, k := range d.Forced(ctx) {
		r, any := first[k]
		if !any {
			first[k] = s
			continue
		}
		pairs = append(pairs, [2]strips.StateID{stateID(r), stateID(s)})
	}
	return pairs
}

// Distinguishes says whether regions without slack tell every state from every other; if
// the context ends before that is decided, it says no.
func (d *Decided) Distinguishes(ctx context.Context) bool {
	return len(d.Alike(ctx)) == 0
}

// groups numbers the states by their values in the regions, in order of first
// states.
func (p *Problem) groups(regions []*region) []int {
	group := make([]int, p.states)
	number := map[strips.State]int{}
	for s, code := range p.codes(regions) {
		n, known := number[code]
		if !known {
			n = len(number)
			number[code] = n
		}
		group[s] = n
	}
	return group
}
