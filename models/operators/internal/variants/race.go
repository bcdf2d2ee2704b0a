package variants

import (
	"math/rand/v2"
	"sync"

	"stripswm/models/operators/internal/work"
)

// Round is how many steps the first round of Find takes at most: a number and more for
// each edge.
func Round(g *Graph) int64 { return int64(50_000_000 + 90_000*len(g.Edges)) }

// Find groups the edges of a graph to few variants, with at most the work given,
// and says whether they toggle, which they do only where that saves any. In the
// first round two searches run at the same time, one without toggles and one with.
// As what a search finds depends on luck, others of twice the length follow, two a
// round that begin with the machines of the best so far, until one comes to an end by
// itself. What a search does next depends on what it did, not on how much work is
// left: with more work there are never more variants.
func Find(w *work.Work, g *Graph, seed uint64) (found *Found, toggling bool) {
	var best *search
	steps := Round(g)
	for stream := streamRace; ; stream += 2 {
		var each []*search
		w.AtMost(steps, func() {
			each = race(w, func(i int, w *work.Work) *search {
				rng := rand.New(rand.NewPCG(seed, stream+uint64(i)))
				if best == nil {
					return newSearch(w, g, i == 1, rng)
				}
				return best.again(w, rng)
			})
		})
		better := each[0]
		if each[1].best.variants < better.best.variants {
			better = each[1]
		}
		if best == nil || better.best.variants < best.best.variants {
			best = better
		}
		if better.settled || w.Over() {
			return best.best.found(g), best.toggles
		}
		steps *= 2
	}
}

// race runs two searches at the same time, each with the whole work.
func race(w *work.Work, begin func(i int, w *work.Work) *search) []*search {
	forks := w.Fork(2)
	each := make([]*search, len(forks))
	var both sync.WaitGroup
	for i, w := range forks {
		each[i] = begin(i, w)
		both.Go(each[i].run)
	}
	both.Wait()
	w.Merge(forks)
	return each
}
