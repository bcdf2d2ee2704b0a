package networks

import (
	"math/rand/v2"
)

// Feed prepares the inputs of one training step after the other in two sets of
// tensors: while the device works on one set, the other is filled, so that a
// fast device does not wait for images. A step's inputs depend on the step
// alone.
type Feed[T any] struct {
	sets   [2]T
	fill   func(step int, into T)
	filled chan int // the step that the goroutine has filled
	ahead  bool     // a goroutine is at work
}

func NewFeed[T any](first, second T, fill func(int, T)) *Feed[T] {
	return &Feed[T]{sets: [2]T{first, second}, fill: fill, filled: make(chan int)}
}

// At returns the inputs of a step and starts on those of the next. The set is
// valid until At is called again.
func (f *Feed[T]) At(step int) T {
	if !f.ahead || f.Wait() != step {
		f.fill(step, f.sets[step%2])
	}
	f.ahead = true
	go func() {
		f.fill(step+1, f.sets[(step+1)%2])
		f.filled <- step + 1
	}()
	return f.sets[step%2]
}

// Wait lets the work ahead end, after which the tensors may be freed.
func (f *Feed[T]) Wait() int {
	if !f.ahead {
		return -1
	}
	f.ahead = false
	return <-f.filled
}

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
