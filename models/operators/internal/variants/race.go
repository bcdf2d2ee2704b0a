package variants

import (
	"math/rand/v2"
	"sync"

	"stripswm/models/operators/internal/work"
)

// Find groups the edges of a graph to few variants, with at most the work given,
// and says whether they toggle, which they do only where that saves any. Searches
// without toggles and with have two fifths of the work, at the same time; then,
// unless it came to an end by itself or both agree, two more of the better kind
// have the rest: what a search finds depends on luck.
func Find(w *work.Work, g *Graph, seed uint64) (found *Found, toggling bool) {
	var first, again []*Found
	w.Within(40, func() { first = race(w, g, []bool{false, true}, seed, 3) })
	found, toggling = first[0], first[1].Variants < first[0].Variants
	if toggling {
		found = first[1]
	}
	if found.settled || first[0].Variants == first[1].Variants || w.Over() {
		return found, toggling
	}
	again = race(w, g, []bool{toggling, toggling}, seed, 5)
	for _, f := range again {
		if f.Variants < found.Variants {
			found = f
		}
	}
	return found, toggling
}

// race runs searches at the same time, each with the whole work and a stream of
// chance of its own.
func race(w *work.Work, g *Graph, toggling []bool, seed, stream uint64) []*Found {
	found := make([]*Found, len(toggling))
	each := w.Fork(len(toggling))
	var all sync.WaitGroup
	for i := range toggling {
		all.Go(func() {
			found[i] = find(each[i], g, toggling[i], rand.New(rand.NewPCG(seed, stream+uint64(i))))
		})
	}
	all.Wait()
	w.Join(each)
	return found
}
