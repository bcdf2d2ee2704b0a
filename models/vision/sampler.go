package vision

import "math/rand/v2"

// sampler draws batches of indices: each epoch is a fresh permutation that
// depends on the seed and the epoch alone, so that a resumed run draws what the
// interrupted one would have drawn.
type sampler struct {
	n, batch int
	seed     uint64
	epoch    int
	order    []int
}

// perEpoch is the number of batches that the data makes.
func (s *sampler) perEpoch() int { return max(s.n/s.batch, 1) }

// at returns step's batch. Short data wraps around within the epoch.
func (s *sampler) at(step int) []int {
	perEpoch := s.perEpoch()
	if epoch := step / perEpoch; s.order == nil || epoch != s.epoch {
		s.epoch = epoch
		s.order = rand.New(rand.NewPCG(s.seed, uint64(epoch))).Perm(s.n)
	}
	indices := make([]int, s.batch)
	for i := range indices {
		indices[i] = s.order[(step%perEpoch*s.batch+i)%s.n]
	}
	return indices
}

// pairs draws transitions two by two, one and the next in the recording, so that
// a batch holds two images of many states at no cost. Every epoch pairs them
// the other way, which makes each transition once the first and once the second.
type pairs struct {
	n     int // transitions
	draws *sampler
}

// newPairs draws batches of that many transitions, an even number.
func newPairs(n, batch int, seed uint64) pairs {
	return pairs{n, &sampler{n: (n + 1) / 2, batch: batch / 2, seed: seed}}
}

// at returns step's batch: the first of each pair, then the second of each. The
// recording's end pairs up with its beginning.
func (p pairs) at(step int) []int {
	shift := step / p.draws.perEpoch() % 2
	draws := p.draws.at(step)
	indices := make([]int, 2*len(draws))
	for i, k := range draws {
		first := 2*k + shift
		indices[i], indices[len(draws)+i] = first%p.n, (first+1)%p.n
	}
	return indices
}
