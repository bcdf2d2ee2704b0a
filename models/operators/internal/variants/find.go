package variants

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"stripswm/models/internal/bitset"
	"stripswm/models/operators/internal/work"
)

// Found is a grouping of edges to variants.
type Found struct {
	Of       []int        // variant of each edge, 0 to Variants-1, by action
	Variants int          // the number of them
	Regions  []bitset.Set // that fit the variants and tell all distinct that has to be
}

// search has strategies to find variants that take turns, each with its share of the work.
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
		next.entries = append(next.entries, &entry{e.on, &encoder{e.n.g, w, rng, s.toggles},
			slices.Clone(e.codes)})
	}
	return next
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

// Steps for each edge: of collecting before machines are put together, and of a turn,
// besides an eighth of what was done before it.
const (
	collectSteps = 1_000
	turnSteps    = 3_000
)

// run lets the strategies take turns. To code the whole graph at once gets a greater
// share if that brings codings. It is settled if it ends before the work does.
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
	least := s.g.least()
	p := newPatience(s.w, s.g)
	for !p.over() && s.best.variants > least {
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
			p.reset()
		}
	}
	s.settled = !s.w.Over()
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
		s.merge(c)
	}
}

// compose puts a coding together from small machines.
func (s *search) compose() { s.offer(s.library.compose(s.fewest)) }

// mergeWaiting joins the coding that waits, if that is of use.
func (s *search) mergeWaiting() {
	if c := s.waiting; s.waits() {
		s.waiting = nil
		s.merge(c)
	}
}

// merge joins variants of a coding.
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

// refine takes the best variants distinct and joins them again.
func (s *search) refine() { s.best = improve(s.g, s.w, s.rng, s.any, s.best) }
