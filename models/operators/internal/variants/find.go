package variants

import (
	"math"
	"math/rand/v2"
	"sync"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// Found is a grouping of edges to variants.
type Found struct {
	Of       []int        // variant of each edge, 0 to Variants-1, by action
	Variants int          // the number of them
	Regions  []bitset.Set // that fit the variants, and show that the grouping is valid
}

// Enough is how many steps Find is worth.
func Enough(g *Graph) int64 { return int64(enoughSteps + enoughEdgeSteps*len(g.Edges)) }

// Find groups the edges of a graph to few variants, with at most the work given. It says whether
// they toggle, which they do only where that saves variants: two searches run at the same time, one
// without toggles and one with.
func Find(w *work.Work, g *Graph, seed uint64) (found *Found, toggling bool) {
	forks := w.Fork(2)
	each := make([]*search, len(forks))
	var both sync.WaitGroup
	for i, w := range forks {
		each[i] = newSearch(w, g, i == 1, rand.New(rand.NewPCG(seed, searchStream+uint64(i))))
		both.Go(each[i].run)
	}
	both.Wait()
	w.Merge(forks)
	best := each[0]
	if each[1].best.variants < best.best.variants {
		best = each[1]
	}
	return best.best.found(g), best.toggles
}

// search has strategies to find variants that take turns, each with its share of the work.
type search struct {
	*library
	any     effects
	best    grouping
	waiting *coding // the one with fewest variants that are not merged yet
	fewest  int     // variants of a coding
	coded   int     // codings of the whole graph
}

func newSearch(w *work.Work, g *Graph, toggling bool, rng *rand.Rand) *search {
	n := &encoder{g: g, w: w, rng: rng, toggles: toggling}
	return &search{library: newLibrary(n), any: allowed(toggling), best: edgeByEdge(g),
		fewest: math.MaxInt / 4}
}

// strategy is one of the search's, and what it has had of the work.
type strategy struct {
	do    func()
	ready func() bool
	share float64
	long  bool // one turn may take all there is
	spent int64
}

// turn is that of the strategy that has had least of its share.
func turn(strategies []*strategy) (next *strategy) {
	for _, w := range strategies {
		if w.ready() && (next == nil || float64(w.spent)/w.share < float64(next.spent)/next.share) {
			next = w
		}
	}
	return next
}

// run lets the strategies take turns until nothing has come of them for long: twice as long as it
// had taken until then, and some time for each edge. To code the whole graph at once gets a greater
// share while that brings codings.
func (s *search) run() {
	began, edges := s.w.Left(), int64(len(s.g.Edges))
	encode := &strategy{do: s.encode, ready: func() bool { return true }, share: 1}
	collect := &strategy{do: s.collect, ready: encode.ready, share: 2, long: true}
	enough := func() bool {
		return s.complete() && s.rich() || len(s.entries) > 0 && collect.spent > collectSteps*edges
	}
	strategies := []*strategy{
		collect,
		{do: s.compose, ready: enough, share: 4, long: true},
		encode,
		{do: s.mergeWaiting, ready: s.waits, share: 1},
		{do: s.refine, ready: s.grouped, share: 1},
	}
	until := patienceSteps * edges
	for !s.w.Over() && began-s.w.Left() <= until && s.best.variants > s.g.least() {
		strategy := turn(strategies)
		before, best, coded := s.w.Left(), s.best.variants, s.coded
		most := turnSteps*edges + (began-before)/8
		if strategy.long {
			most = before
		}
		s.w.AtMost(most, strategy.do)
		s.w.Spend(1)
		strategy.spent += before - s.w.Left()
		if strategy == encode && s.coded > coded {
			strategy.share = min(2*strategy.share, 4)
		} else if strategy == encode {
			strategy.share = max(strategy.share/2, 0.25)
		}
		if s.best.variants < best {
			until = 3*(began-s.w.Left()) + patienceSteps*edges
		}
	}
}

// encode codes the whole graph at once, and merges the variants of that.
func (s *search) encode() {
	if c := s.encoder.encode(2 * min(s.fewest, s.best.variants)); c != nil {
		s.coded++
		s.fewest = min(s.fewest, len(c.variants))
		s.merge(c)
	}
}

// compose puts a coding together from small machines. It waits for its variants to be merged if it
// has no more of them than another.
func (s *search) compose() {
	c := s.library.compose(s.fewest)
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

// waits says whether a coding waits that is worth its merging.
func (s *search) waits() bool {
	return s.waiting != nil && len(s.waiting.variants) <= 2*s.best.variants
}

func (s *search) mergeWaiting() {
	c := s.waiting
	s.waiting = nil
	s.merge(c)
}

// merge merges the variants of a coding.
func (s *search) merge(c *coding) {
	j := newMerger(s.g, s.w, s.rng, s.any, first(c.variants, len(s.g.Edges)), c.regions)
	j.grow(j.variants())
	next := improve(s.g, s.w, s.rng, s.any, j.grouping())
	if next.variants < s.best.variants {
		s.best = next
	}
}

// grouped says whether anything was found.
func (s *search) grouped() bool { return s.best.variants < len(s.g.Edges) }

// refine takes some of the best variants apart and merges them again.
func (s *search) refine() { s.best = improve(s.g, s.w, s.rng, s.any, s.best) }
