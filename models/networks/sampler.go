package networks

import "math/rand/v2"

// Sampler draws batches of indices: each epoch is a fresh permutation that
// depends on the seed and the epoch alone, so that a resumed run draws what the
// interrupted one would have drawn.
type Sampler struct {
	n, batch int
	seed     uint64
	epoch    int
	order    []int
}

// NewSampler draws batches of that many of n indices.
func NewSampler(n, batch int, seed uint64) *Sampler {
	return &Sampler{n: n, batch: batch, seed: seed}
}

// PerEpoch is the number of batches that the data makes.
func (s *Sampler) PerEpoch() int { return max(s.n/s.batch, 1) }

// At returns step's batch. Short data wraps around within the epoch.
func (s *Sampler) At(step int) []int {
	perEpoch := s.PerEpoch()
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
