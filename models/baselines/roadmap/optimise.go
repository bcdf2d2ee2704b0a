package roadmap

import "sort"

// Optimise cuts a dendrogram where its roadmap has the most edges while it has at most so many
// components (the paper's equation 8 and algorithm 2, where that bound is c_max), and returns the
// clusters and the threshold, the paper's tau. The paper's edges have no direction; ours do, since
// nothing says which action undoes another. What it asks of a component, that its nodes can be
// reached from one another, is strong connection here.
//
// The paper searches for it by Brent's method. It need not: what merging clusters does to the
// roadmap is to contract it, which neither adds an edge nor a component, so the best threshold is
// the least one that the bound allows, and halving finds it among the heights of merges.
func Optimise(d Dendrogram, steps []Step, components int) (labels []int, threshold float32) {
	thresholds := []float32{0}
	for _, m := range d.merges {
		if m.height > thresholds[len(thresholds)-1] {
			thresholds = append(thresholds, m.height)
		}
	}
	best := sort.Search(len(thresholds)-1, func(i int) bool {
		return (&Roadmap{Edges: edgesOf(d.Cut(thresholds[i]), steps)}).Components() <= components
	})
	return d.Cut(thresholds[best]), thresholds[best]
}
