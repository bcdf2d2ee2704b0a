package networks

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
)

// Inputs are what a step reads of the data: the images of each view [batch, size, size, 3], and
// what the loss takes besides.
type Inputs struct {
	Images []*ort.Tensor[uint8]
	Extra  []ort.Value
}

// NewInputs allocates the inputs of a step.
func (t Task) NewInputs() (in Inputs, err error) {
	if _, err := inference.Load(""); err != nil {
		return in, err
	}
	size := t.Backbone.ImageSize()
	for range t.Views {
		images, err := NewTensor[uint8]([]int{t.Batch, size, size, 3})
		if err != nil {
			return in, errors.Join(err, in.Free())
		}
		in.Images = append(in.Images, images)
	}
	for _, shape := range t.Extra {
		var value ort.Value
		switch shape.DType {
		case dtypes.Uint8:
			value, err = NewTensor[uint8](shape.Dimensions)
		case dtypes.Int32:
			value, err = NewTensor[int32](shape.Dimensions)
		default:
			value, err = NewTensor[float32](shape.Dimensions)
		}
		if err != nil {
			return in, errors.Join(err, in.Free())
		}
		in.Extra = append(in.Extra, value)
	}
	return in, nil
}

// Free frees the tensors.
func (in Inputs) Free() (err error) {
	for _, images := range in.Images {
		err = errors.Join(err, images.Destroy())
	}
	for _, value := range in.Extra {
		err = errors.Join(err, value.Destroy())
	}
	return err
}

// Numbers are those of an extra input, to be written.
func Numbers[T ort.TensorData](in Inputs, extra int) []T {
	return in.Extra[extra].(*ort.Tensor[T]).GetData()
}

// Trainer makes the steps of a training: an engine, the inputs that are prepared for it while it
// works, and the means of what it measures.
type Trainer struct {
	Engine
	feed *feed[Inputs]
	task Task
	// Sums of the metrics of so many steps, since Means was asked for.
	Sums  []float64
	Count int
}

// NewTrainer starts as NewEngine does. fill prepares the inputs of a step, which depend on the step
// alone.
func NewTrainer(t Task, seed, stream uint64, o inference.Options,
	fill func(step int, into Inputs)) (*Trainer, error) {
	e, err := NewEngine(t, seed, stream, o)
	if err != nil {
		return nil, err
	}
	var sets [2]Inputs
	for i := range sets {
		if sets[i], err = t.NewInputs(); err != nil {
			e.Close()
			return nil, errors.Join(err, sets[0].Free())
		}
	}
	return &Trainer{Engine: e, feed: newFeed(sets[0], sets[1], fill), task: t,
		Sums: make([]float64, len(t.Metrics))}, nil
}

// Train makes a step, counted from 0, and returns its metrics, valid until the next one.
func (t *Trainer) Train(step int, rates []float32) ([]float32, error) {
	metrics, err := t.Step(rates, t.feed.at(step))
	if err != nil {
		return nil, fmt.Errorf("step %d: %w", step, err)
	}
	for i, v := range metrics {
		if v != v {
			return nil, fmt.Errorf("step %d: %s is not a number; try a lower learning rate", step,
				t.task.Metrics[i])
		}
		t.Sums[i] += float64(v)
	}
	t.Count++
	return metrics, nil
}

// Means are those of the metrics, by name, of the steps since they were asked for last.
func (t *Trainer) Means() map[string]float64 {
	means := map[string]float64{}
	for i, name := range t.task.Metrics {
		means[name] = t.Sums[i] / float64(t.Count)
	}
	clear(t.Sums)
	t.Count = 0
	return means
}

// Wait lets the work on the next step's inputs end. They are prepared anew.
func (t *Trainer) Wait() { t.feed.wait() }

// Close frees engine and inputs.
func (t *Trainer) Close() {
	t.Wait()
	t.Engine.Close()
	for _, set := range t.feed.sets {
		set.Free()
	}
}

// feed prepares the inputs of one training step after the other in two sets: while the device works
// on one set, the other is filled, so that a fast device does not wait for images.
type feed[T any] struct {
	sets   [2]T
	fill   func(step int, into T)
	filled chan int // the step that the goroutine has filled
	ahead  bool     // a goroutine is at work
}

func newFeed[T any](first, second T, fill func(int, T)) *feed[T] {
	return &feed[T]{sets: [2]T{first, second}, fill: fill, filled: make(chan int)}
}

// at returns the inputs of a step and starts on those of the next. The set is valid until at is
// called again.
func (f *feed[T]) at(step int) T {
	if !f.ahead || f.wait() != step {
		f.fill(step, f.sets[step%2])
	}
	f.ahead = true
	go func() {
		f.fill(step+1, f.sets[(step+1)%2])
		f.filled <- step + 1
	}()
	return f.sets[step%2]
}

// wait lets the work ahead end, after which the tensors may be freed.
func (f *feed[T]) wait() int {
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
