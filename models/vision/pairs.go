package vision

import "stripswm/models/networks"

// pairs draws transitions two by two, one and the next in the recording, so that a batch has two
// images of many states at no cost. Each epoch pairs them the other way, so that each transition is
// once the first and once the second of a pair.
type pairs struct {
	n     int // transitions
	draws *networks.Sampler
}

// newPairs draws batches of that many transitions, an even number.
func newPairs(n, batch int, seed uint64) pairs {
	return pairs{n, networks.NewSampler((n+1)/2, batch/2, seed)}
}

// at returns step's batch: the first of each pair, then the second of each. The
// recording's end pairs up with its beginning.
func (p pairs) at(step int) []int {
	shift := step / p.draws.PerEpoch() % 2
	draws := p.draws.At(step)
	indices := make([]int, 2*len(draws))
	for i, k := range draws {
		first := 2*k + shift
		indices[i], indices[len(draws)+i] = first%p.n, (first+1)%p.n
	}
	return indices
}
