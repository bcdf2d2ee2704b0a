package operators

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/go-air/gini/z"

	"stripswm/models/strips"
)

// Distinct are the pairs of nodes that need different codes (P_dist in the
// paper): all, or a list. The zero Distinct asks for none.
type Distinct struct {
	All   bool
	Pairs [][2]strips.StateID
}

// forced splits the states into classes such that two states are in one class
// exactly if every column without slack gives them the same value: zero slack
// forces them together. It returns the class of each state, numbered by first
// state, and the columns that were needed to tell the classes apart.
func (p *Problem) forced(ctx context.Context, o *oracle, pool []*column) (class []int, columns []*column) {
	same := make([]int, p.states) // first state proved inseparable, or -1
	for s := range same {
		same[s] = -1
	}
	columns = pool
	group := p.groups(columns)
	for changed := true; changed; {
		changed = false
		first := map[int]int{}
		for s := range p.states {
			r, any := first[group[s]]
			if !any {
				first[group[s]] = s
				continue
			}
			if same[s] == r || ctx.Err() != nil {
				continue
			}
			x, ok := o.solve(o.holds(r), o.holds(s).Not())
			if !ok {
				same[s] = r
				continue
			}
			columns = append(columns[:len(columns):len(columns)], p.mustColumn(x))
			group, changed = p.groups(columns), true
			break
		}
	}
	return group, columns
}

// groups numbers the states by their values in the columns, in order of first
// states.
func (p *Problem) groups(columns []*column) []int {
	group := make([]int, p.states)
	next := 1
	for _, c := range columns {
		number := map[[2]int]int{}
		next = 0
		for s := range group {
			key := [2]int{group[s], 0}
			if c.x.has(s) {
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

// tooClose lists pairs of states that have the same code and must not: those
// that opt asks for, and as many as are missing to its number of different codes.
// class says which states zero slack forces together; of the others, it prefers
// pairs of different classes.
func (p *Problem) tooClose(s *solution, opt Options, class []int) [][2]int {
	group := p.groups(s.columns)
	var pairs [][2]int
	if !opt.Distinct.All {
		for _, pair := range opt.Distinct.Pairs {
			if a, b := int(pair[0]), int(pair[1]); group[a] == group[b] {
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	first := map[int]int{}
	var easy, hard [][2]int
	for t, g := range group {
		r, any := first[g]
		switch {
		case !any:
			first[g] = t
		case class[r] != class[t]:
			easy = append(easy, [2]int{r, t})
		default:
			hard = append(hard, [2]int{r, t})
		}
	}
	more := append(easy, hard...)
	if !opt.Distinct.All {
		more = more[:min(len(more), max(0, opt.MinUnique-s.distinct))]
	}
	return append(pairs, more...)
}

// asks says whether the pair itself is asked for.
func (d Distinct) asks(pair [2]int) bool {
	return d.All || slices.ContainsFunc(d.Pairs, func(q [2]strips.StateID) bool {
		a, b := int(q[0]), int(q[1])
		return pair == [2]int{a, b} || pair == [2]int{b, a}
	})
}

// validate checks the nodes that the options name.
func (d Distinct) validate(states int) error {
	for _, pair := range d.Pairs {
		for _, s := range pair {
			if s < 0 || int(s) >= states {
				return fmt.Errorf("operators: distinct pair (%d, %d): want nodes 0..%d", pair[0], pair[1], states-1)
			}
		}
		if pair[0] == pair[1] {
			return fmt.Errorf("operators: distinct pair (%d, %d): a node cannot differ from itself", pair[0], pair[1])
		}
	}
	return nil
}

// separateStates extends a solution until no pair is too close: pairs that zero
// slack allows become atoms of a new choice, for the others a predicate pays the
// least transition slack. Which are which is decided whatever the budget.
func (l *learner) separateStates(ctx, budget context.Context, s *solution) (*solution, error) {
	opt := l.opt
	if !opt.Distinct.All && len(opt.Distinct.Pairs) == 0 && s.distinct >= opt.MinUnique {
		return s, nil
	}
	var class []int
	class, l.pool = l.p.forced(ctx, newOracle(l.p), l.pool)
	for {
		var soft [][2]int
		for _, pair := range l.p.tooClose(s, opt, class) {
			if class[pair[0]] != class[pair[1]] {
				soft = append(soft, pair)
			}
		}
		if len(soft) == 0 {
			break
		}
		l.keepApart(soft)
		next := l.choose(budget)
		if opt.Predicates > 0 && len(l.p.tooClose(next, opt, class)) >= len(l.p.tooClose(s, opt, class)) {
			return nil, fmt.Errorf("operators: no model with %d predicates was found that keeps the states apart as asked: allow more", opt.Predicates)
		}
		s = next
		if s.distinct >= opt.MinUnique && opt.MinUnique > 1 && !opt.Distinct.All {
			// other pairs would have done as well, perhaps at a lower price
			s.proved.Effects, s.proved.Preconditions = false, false
			s.proved.Predicates = opt.Predicates > 0
			s.bounds.Predicates, s.bounds.Effects, s.bounds.Preconditions = bits.Len(uint(opt.MinUnique-1)), 0, 0
		}
	}
	return l.pay(budget, s, class)
}

// pay adds predicates with slack for the pairs that are still too close.
func (l *learner) pay(ctx context.Context, s *solution, class []int) (*solution, error) {
	o := newEdgeOracle(l.p, false)
	columns := withoutConstant(l.p, s.columns)
	bound, paid := 0, false
	for {
		pairs := l.p.tooClose(s, l.opt, class)
		if len(pairs) == 0 {
			break
		}
		c, least := o.cheapest(ctx, [2]z.Lit{o.holds(pairs[0][0]), o.holds(pairs[0][1]).Not()})
		if c == nil {
			return nil, fmt.Errorf("operators: nodes %d and %d cannot be kept apart", pairs[0][0], pairs[0][1])
		}
		if l.opt.Predicates > 0 && len(columns) >= l.opt.Predicates {
			return nil, fmt.Errorf("operators: %d predicates leave none to keep nodes %d and %d apart: allow more", l.opt.Predicates, pairs[0][0], pairs[0][1])
		}
		bound = max(bound, 1)
		if l.opt.Distinct.asks(pairs[0]) {
			bound = max(bound, least)
		}
		columns, paid = append(columns, c), true
		next := l.p.solution(columns, l.opt.Predicates)
		next.bounds, next.proved = s.bounds, s.proved
		s = next
	}
	if paid {
		s.bounds = Bounds{Xi: bound}
		s.proved = Proved{Xi: bound == s.price, Predicates: l.opt.Predicates > 0}
		if l.p.bySupport {
			s.bounds.Xi = 1 // the bound is on the weighted sum
		}
	}
	return s, nil
}

// keepApart makes atoms of pairs of states and brings all columns up to date.
func (l *learner) keepApart(pairs [][2]int) {
	l.p.keepApart(pairs)
	for i, c := range l.pool {
		l.pool[i] = l.p.mustColumn(c.x)
	}
	grown := l.p.atoms.clone()
	grown.remove(l.lost)
	l.want = grown
}

// List is the pairs one by one, for a graph with the given number of nodes.
func (d Distinct) List(states int) [][2]strips.StateID {
	if !d.All {
		return d.Pairs
	}
	var pairs [][2]strips.StateID
	for t := range states {
		for s := range t {
			pairs = append(pairs, [2]strips.StateID{stateID(s), stateID(t)})
		}
	}
	return pairs
}
