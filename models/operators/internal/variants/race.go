package variants

import (
	"math/rand/v2"
	"sync"

	"stripswm/models/operators/internal/work"
)

// Find groups the edges of a graph to few variants, with at most the work given,
// and says whether they toggle, which they do only where that saves any. Searches
// without toggles and with have two fifths of the work, at the same time; then,
// unless it came to an end by itself, two more begin with the machines of the better
// one and have the rest: what a search finds depends on luck.
func Find(w *work.Work, g *Graph, seed uint64) (found *Found, toggling bool) {
	chance := func(stream int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(3+stream))) }
	var first []*search
	var each []*Found
	w.Within(40, func() {
		each = race(w, func(i int, w *work.Work) *search {
			s := newSearch(w, g, i == 1, chance(i))
			first = append(first, s)
			return s
		})
	})
	better := 0
	if each[1].Variants < each[0].Variants {
		better = 1
	}
	found, toggling = each[better], better == 1
	if first[better].settled || w.Over() {
		return found, toggling
	}
	for _, f := range race(w, func(i int, w *work.Work) *search { return first[better].again(w, chance(2+i)) }) {
		if f.Variants < found.Variants {
			found = f
		}
	}
	return found, toggling
}

// race runs two searches at the same time, each with the whole work.
func race(w *work.Work, begin func(i int, w *work.Work) *search) []*Found {
	each := w.Fork(2)
	found := make([]*Found, len(each))
	var both sync.WaitGroup
	for i := range each {
		s := begin(i, each[i])
		both.Go(func() { found[i] = s.find() })
	}
	both.Wait()
	w.Join(each)
	return found
}
