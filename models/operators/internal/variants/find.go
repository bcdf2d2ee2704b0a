package variants

import (
	"maps"
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

// find groups the edges of the graph to few variants, with at most the work given.
func (s *search) find() *Found {
	s.w.Within(90, func() { s.settled = s.run() })
	s.refine()
	return s.best.found(s.g)
}

// search is ways to find variants that take turns, each with its share of the work.
type search struct {
	*library
	any     effects
	best    grouping
	waiting *coding // the one with fewest variants that was not joined yet
	fewest  int     // variants of a coding
	coded   int     // codings of the whole graph
	settled bool    // it ended for want of ideas, not of work
}

func newSearch(w *work.Work, g *Graph, toggling bool, rng *rand.Rand) *search {
	any := allowed(toggling)
	n := &encoder{g: g, w: w, rng: rng, toggles: toggling}
	return &search{library: newLibrary(n), any: any, best: edgeByEdge(g), fewest: math.MaxInt / 4}
}

// again is a search that knows the machines of one, and nothing else.
func (s *search) again(w *work.Work, rng *rand.Rand) *search {
	next := newSearch(w, s.g, s.toggles, rng)
	next.known, next.all = maps.Clone(s.known), s.all
	for _, e := range s.entries {
		next.entries = append(next.entries, &entry{e.on, &encoder{e.n.g, w, rng, s.toggles}, slices.Clone(e.codes)})
	}
	return next
}

// way is one of the search's, and what it has had of the work.
type way struct {
	do    func()
	ready func() bool
	share float64
	most  int64 // per cent of the work left that one turn may take
	spent int64
}

// turn is that of the way that has had least of its share.
func turn(ways []*way) (next *way) {
	for _, w := range ways {
		if w.ready() && (next == nil || float64(w.spent)/w.share < float64(next.spent)/next.share) {
			next = w
		}
	}
	return next
}

// run lets the ways take turns. To code the whole graph at once gets a greater
// share if that brings codings. It returns true if it ends before the work does.
func (s *search) run() (settled bool) {
	always := func() bool { return true }
	began := s.w.Left()
	encode := &way{do: s.encode, ready: always, share: 1, most: 8}
	collect := &way{do: s.collect, ready: always, share: 2, most: 100}
	enough := func() bool { return s.complete() && s.rich() || len(s.entries) > 0 && collect.spent > began/10 }
	ways := []*way{
		collect,
		{do: s.compose, ready: enough, share: 4, most: 100},
		encode,
		{do: s.joinWaiting, ready: s.waits, share: 1, most: 4},
	}
	least := s.g.least()
	for p := newPatience(s.w, s.g); !p.over() && s.best.variants > least; {
		way := turn(ways)
		before, best, coded := s.w.Left(), s.best.variants, s.coded
		s.w.Within(way.most, way.do)
		s.w.Spend(1)
		way.spent += before - s.w.Left()
		if way == encode && s.coded > coded {
			way.share = min(2*way.share, 4)
		} else if way == encode {
			way.share = max(way.share/2, 0.25)
		}
		if s.best.variants < best {
			p.renew()
		}
	}
	if settled = !s.w.Over(); s.best.variants > least {
		s.w.Within(50, s.joinWaiting)
	}
	return settled
}

// waits says whether a coding waits that is worth joining.
func (s *search) waits() bool {
	return s.waiting != nil && len(s.waiting.variants) <= 2*s.best.variants
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
func (s *search) compose() { s.offer(s.library.compose(s.fewest)) }

// joinWaiting joins the coding that waits, if that is of use.
func (s *search) joinWaiting() {
	if c := s.waiting; s.waits() {
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
