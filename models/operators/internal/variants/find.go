package variants

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"stripswm/models/operators/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// Found is a grouping of edges to variants.
type Found struct {
	Of       []int        // variant of each edge, 0 to Variants-1, by action
	Variants int          // the number of them
	Columns  []bitset.Set // that fit the variants and tell all apart that has to be
}

// Find groups the edges of a graph to few variants, with at most the work given.
func Find(w *work.Work, g *Graph, toggling bool, seed uint64) *Found {
	s := newSearch(w, g, toggling, seed)
	w.Within(75, s.run)
	s.refine()
	return s.best.found(g)
}

// search is ways to find variants that take turns, each with its share of the work.
type search struct {
	*library
	any     effects
	best    grouping
	waiting *coding // the one with fewest variants that was not joined yet
	fewest  int     // variants of a coding
	coded   int     // codings of the whole graph
}

func newSearch(w *work.Work, g *Graph, toggling bool, seed uint64) *search {
	any := allowed(toggling)
	n := &encoder{g: g, w: w, rng: rand.New(rand.NewPCG(seed, 3)), toggles: toggling}
	return &search{library: newLibrary(n), any: any, best: edgeByEdge(g), fewest: math.MaxInt / 4}
}

// way is one of the search's, and what it has had of the work.
type way struct {
	do    func()
	share float64
	spent int64
}

// turn is that of the way that has had least of its share.
func turn(ways []*way) *way {
	return slices.MinFunc(ways, func(a, b *way) int {
		return cmp.Compare(float64(a.spent)/a.share, float64(b.spent)/b.share)
	})
}

// run lets the ways take turns. That which brings a coding gets a greater share.
func (s *search) run() {
	ways := []*way{{do: s.collect, share: 2}, {do: s.compose, share: 4}, {do: s.encode, share: 1}, {do: s.joinWaiting, share: 1}}
	encode := ways[2]
	least := s.g.least()
	for p := newPatience(s.w, s.g); !p.over() && s.best.variants > least; {
		way := turn(ways)
		before, best, fewest, coded := s.w.Left(), s.best.variants, s.fewest, s.coded
		s.w.Within(8, way.do)
		s.w.Spend(1)
		way.spent += before - s.w.Left()
		if way == encode && s.coded > coded {
			way.share = min(2*way.share, 4)
		} else if way == encode {
			way.share = max(way.share/2, 0.25)
		}
		if s.best.variants < best || s.fewest < fewest {
			p.renew()
		}
	}
	if s.best.variants > least {
		s.w.Within(50, s.joinWaiting)
	}
}

// offer has a coding joined if it is the best that waits for it.
func (s *search) offer(c *coding) {
	if c == nil {
		return
	}
	s.fewest = min(s.fewest, len(c.variants))
	if len(c.variants) < s.best.variants {
		s.best = c.grouping()
	}
	if s.waiting == nil || len(c.variants) <= len(s.waiting.variants) {
		s.waiting = c
	}
}

// encode joins a coding of the whole graph.
func (s *search) encode() {
	if c := s.encoder.encode(2 * min(s.fewest, s.best.variants)); c != nil {
		s.coded++
		s.fewest = min(s.fewest, len(c.variants))
		s.join(c)
	}
}

// compose puts a coding together from small machines.
func (s *search) compose() { s.offer(s.library.compose(3 * s.fewest / 2)) }

// joinWaiting joins the coding that waits, if that is of use.
func (s *search) joinWaiting() {
	if c := s.waiting; c != nil && len(c.variants) <= 2*s.best.variants {
		s.waiting = nil
		s.join(c)
	}
}

// join joins variants of a coding.
func (s *search) join(c *coding) {
	j := newJoiner(s.g, s.w, s.rng, s.any, first(c.variants, len(s.g.Edges)), c.columns)
	j.grow(j.variants())
	next := improve(s.g, s.w, s.rng, s.any, j.grouping())
	if next.variants < s.best.variants {
		s.best = next
	}
}

// refine takes the best variants apart and joins them again.
func (s *search) refine() {
	least := s.g.least()
	for p := newPatience(s.w, s.g); !p.over() && s.best.variants > least; {
		next := improve(s.g, s.w, s.rng, s.any, s.best)
		if next.variants < s.best.variants {
			p.renew()
		}
		s.best = next
	}
}
