package variants

import (
	"math"
	"math/rand/v2"
	"slices"

	"stripswm/models/operators/internal/work"
)

// abstraction is a partition with the substitution property (Hartmanis and
// Stearns, "Algebraic structure theory of sequential machines", 1966): an action
// leads from the states of one block into one block, so that the blocks are the
// states of a smaller machine, such as where one of several things is. Such
// machines have codes of their own, which are found one after the other.
type abstraction struct {
	actions int
	up      []int32 // union-find
	next    []int32 // by root and action: a state that the action leads to, or -1
	// missing says, by root and action, that the action must not apply in a state of
	// the block; nil if that does not matter.
	missing []bool
}

func newAbstraction(g *Graph, strict bool) *abstraction {
	a := &abstraction{actions: g.Actions, up: make([]int32, g.States),
		next: make([]int32, g.States*g.Actions)}
	if strict {
		a.missing = make([]bool, g.States*g.Actions)
		for k, missing := range g.Missing {
			for s := range missing.Each {
				a.missing[s*g.Actions+k] = true
			}
		}
	}
	for s := range a.up {
		a.up[s] = int32(s)
	}
	for i := range a.next {
		a.next[i] = -1
	}
	for _, e := range g.Edges {
		a.next[e.Source*g.Actions+e.Action] = int32(e.Target)
	}
	return a
}

func (a *abstraction) clone() *abstraction {
	return &abstraction{a.actions, slices.Clone(a.up), slices.Clone(a.next), slices.Clone(a.missing)}
}

func (a *abstraction) root(s int32) int32 {
	for a.up[s] != s {
		a.up[s] = a.up[a.up[s]]
		s = a.up[s]
	}
	return s
}

// merge makes one block of two states', and of what follows from that. It fails if
// s and t, which have to stay distinct, meet; the abstraction is of no use then.
func (a *abstraction) merge(u, v, s, t int) bool {
	open := [][2]int32{{int32(u), int32(v)}}
	for len(open) > 0 {
		pair := open[len(open)-1]
		open = open[:len(open)-1]
		x, y := a.root(pair[0]), a.root(pair[1])
		if x == y {
			continue
		}
		a.up[y] = x
		if a.root(int32(s)) == a.root(int32(t)) {
			return false
		}
		for k := range a.actions {
			i, j := int(x)*a.actions+k, int(y)*a.actions+k
			if a.missing != nil {
				if a.missing[i] && a.next[j] >= 0 || a.missing[j] && a.next[i] >= 0 {
					return false
				}
				a.missing[i] = a.missing[i] || a.missing[j]
			}
			to, also := &a.next[i], a.next[j]
			if *to >= 0 && also >= 0 {
				open = append(open, [2]int32{*to, also})
			} else {
				*to = max(*to, also)
			}
		}
	}
	return true
}

func (a *abstraction) partition() partition {
	number := map[int32]int{}
	p := partition{block: make([]int, len(a.up))}
	for s := range p.block {
		root := a.root(int32(s))
		k, seen := number[root]
		if !seen {
			k = len(number)
			number[root] = k
		}
		p.block[s] = k
	}
	p.blocks = len(number)
	return p
}

// abstract draws an abstraction in which s and t are distinct, with at most as many blocks as
// drawn, too, if there is one.
func abstract(w *work.Work, g *Graph, s, t int, rng *rand.Rand) partition {
	blocks := max(2, int(math.Exp(rng.Float64()*math.Log(float64(g.States)/2))))
	p := discrete(g.States)
	newAbstraction(g, false).search(w, s, t, rng, true, func(q partition) bool {
		p = q
		return q.blocks > blocks
	})
	return p
}

// abstractions visits abstractions of fewer and fewer blocks in which s and t are distinct. Half of
// the time they are strict: in the states of a block the same actions apply. Fewer are strict, but
// more of these are machines of the world, such as where one tile is and where the gap.
func abstractions(w *work.Work, g *Graph, s, t int, rng *rand.Rand, visit func(partition)) {
	strict, greedy := rng.IntN(2) == 0, rng.IntN(2) == 0
	newAbstraction(g, strict).search(w, s, t, rng, greedy, func(p partition) bool {
		visit(p)
		return true
	})
}

// search merges pairs of blocks, of some drawn that from which most follows or, if it
// is not greedy, any from which much does, while there is more to visit and a pair
// that it draws can be merged.
func (a *abstraction) search(w *work.Work, s, t int, rng *rand.Rand, greedy bool,
	visit func(partition) (more bool),
) {
	tries := 1 + rng.IntN(30)
	p := a.partition()
	for !w.Over() {
		states := p.representatives()
		var best *abstraction
		most := p
		n := 0
		for range tries {
			u, v := states[rng.IntN(p.blocks)], states[rng.IntN(p.blocks)]
			w.Spend(int64(len(a.up)))
			b := a.clone()
			if u == v || !b.merge(u, v, s, t) {
				continue
			}
			q := b.partition()
			if greedy {
				if q.blocks < most.blocks {
					best, most = b, q
				}
			} else if best == nil || 10*q.blocks < 9*p.blocks {
				if n++; best == nil || rng.IntN(n) == 0 {
					best, most = b, q
				}
			}
		}
		if best == nil || !visit(most) {
			return
		}
		a, p = best, most
	}
}
