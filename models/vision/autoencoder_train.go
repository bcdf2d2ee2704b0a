package vision

import (
	"context"
	"fmt"
	"math/rand/v2"

	ort "github.com/yalue/onnxruntime_go"
)

// AutoencoderPoint is one point of a learning curve: means since the point before of what
// the latent measures, of the reconstruction and of the total, by name.
type AutoencoderPoint struct {
	Step   int                `json:"step"`
	Losses map[string]float64 `json:"losses"`
}

// LearnedAutoencoder is a trained autoencoder.
type LearnedAutoencoder struct {
	Autoencoder Autoencoder
	Weights     []float32
	History     []AutoencoderPoint
}

// autoencoderEvery is the number of steps between points of the curve.
const autoencoderEvery = 50

// TrainAutoencoder learns from the data's transitions. Of the options, Checkpoint and
// Resume mean nothing here.
func TrainAutoencoder(ctx context.Context, d *Dataset, a Autoencoder, o Options) (*LearnedAutoencoder, error) {
	if err := d.validate(); err != nil {
		return nil, err
	}
	if err := a.validate(); err != nil {
		return nil, err
	}
	if d.Size != a.Backbone.size() {
		return nil, fmt.Errorf("autoencoder: images are %d pixels wide, the encoder wants %d", d.Size, a.Backbone.size())
	}
	t, err := newAutoencoderTrainer(a, d, o)
	if err != nil {
		return nil, fmt.Errorf("autoencoder: %w", err)
	}
	defer t.close()
	learned, err := t.run(ctx)
	if err != nil {
		return nil, fmt.Errorf("autoencoder: %w", err)
	}
	return learned, nil
}

type autoencoderTrainer struct {
	Autoencoder
	data    *Dataset
	pairs   []Transition
	options Options
	engine  engine
	sets    [2]pairBatch
	feed    *feed[pairBatch]
	sampler *sampler
}

// pairBatch is what a step reads of the data.
type pairBatch struct {
	images, wanted [2]*ort.Tensor[uint8] // before and after [batch, size, size, 3]: as encoded, as drawn
	actions        *ort.Tensor[int32]    // [batch]
	noise          *ort.Tensor[float32]  // [noises, batch, size]
}

func newPairBatch(a Autoencoder) (b pairBatch, err error) {
	side := a.Decoder.Size
	for _, set := range []*[2]*ort.Tensor[uint8]{&b.images, &b.wanted} {
		for view := range set {
			if set[view], err = newTensor[uint8]([]int{a.Batch, side, side, 3}); err != nil {
				return b, err
			}
		}
	}
	if b.actions, err = newTensor[int32]([]int{a.Batch}); err != nil {
		return b, err
	}
	b.noise, err = floats(a.Latent.noises(), a.Batch, a.Latent.size())
	return b, err
}

func (b pairBatch) tensors() inputTensors {
	return inputTensors{b.images[:], []ort.Value{b.actions, b.noise, b.wanted[0], b.wanted[1]}}
}

func (b pairBatch) free() {
	for _, t := range append(b.images[:], b.wanted[:]...) {
		if t != nil {
			t.Destroy()
		}
	}
	if b.actions != nil {
		b.actions.Destroy()
	}
	if b.noise != nil {
		b.noise.Destroy()
	}
}

func newAutoencoderTrainer(a Autoencoder, d *Dataset, o Options) (t *autoencoderTrainer, err error) {
	t = &autoencoderTrainer{Autoencoder: a, data: d, pairs: a.Latent.pairs(d), options: o}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	task := a.task(o.Threads)
	if t.engine, err = newEngine(task, o.Seed, 0xae1a5, o); err != nil {
		return t, err
	}
	mean := task.layout.slots[task.layout.slot(meanImage)]
	copy(t.engine.state()[0][mean.offset:], a.Decoder.mean(d))
	for i := range t.sets {
		if t.sets[i], err = newPairBatch(a); err != nil {
			return t, err
		}
	}
	t.sampler = &sampler{n: len(t.pairs), batch: a.Batch, seed: o.Seed}
	t.feed = newFeed(t.sets[0], t.sets[1], t.fill)
	return t, nil
}

// mean is the mean of up to a thousand images of the data, as apply gives them, which
// training begins with.
func (n Decoder) mean(d *Dataset) []float32 {
	const most = 1000
	images, sums := spread(d.Images(), most), make([]float64, n.values())
	for _, image := range images {
		for i, v := range d.Image(image) {
			sums[i] += float64(v)
		}
	}
	flat := make([]float32, 0, len(sums))
	for token := range n.tokens() {
		top, left := token/n.side()*n.Patch, token%n.side()*n.Patch
		for y := top; y < top+n.Patch; y++ {
			for i := 3 * (y*n.Size + left); i < 3*(y*n.Size+left+n.Patch); i++ {
				flat = append(flat, float32((sums[i]/float64(len(images))-pixelMean)/pixelStd))
			}
		}
	}
	return flat
}

func (t *autoencoderTrainer) close() {
	if t.feed != nil {
		t.feed.wait()
	}
	if t.engine != nil {
		t.engine.close()
	}
	for _, set := range t.sets {
		set.free()
	}
}

func (t *autoencoderTrainer) run(ctx context.Context) (*LearnedAutoencoder, error) {
	learned := &LearnedAutoencoder{Autoencoder: t.Autoencoder}
	names, schedule := t.metrics(), t.Latent.schedule(t.Steps)
	sums, count := make([]float64, len(names)), 0
	for step := range t.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rates := t.ratesAt(step)
		metrics, err := t.engine.step(append(rates[:], schedule.at(step)...), t.feed.at(step).tensors())
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", step, err)
		}
		for i, v := range metrics {
			if v != v {
				return nil, fmt.Errorf("step %d: %s is not a number; try a lower learning rate", step, names[i])
			}
			sums[i] += float64(v)
		}
		schedule.saw(step, metrics[len(names)-len(t.Latent.metrics()):])
		count++
		if n := step + 1; n%autoencoderEvery == 0 || n == t.Steps {
			point := AutoencoderPoint{n, map[string]float64{}}
			for i, name := range names {
				point.Losses[name] = sums[i] / float64(count)
			}
			learned.History = append(learned.History, point)
			clear(sums)
			count = 0
		}
		t.options.report(step+1, t.Steps, nil)
	}
	learned.Weights = append(learned.Weights, t.engine.state()[0]...)
	return learned, nil
}

// ratesAt are Optimizer.rates with the learning rate of the step.
func (a Autoencoder) ratesAt(step int) [3]float32 {
	rates := a.rates(step)
	rates[0] *= min(1, 2*float32(a.Steps-step)/float32(a.Steps))
	return rates
}

// fill copies a step's pairs into a batch.
func (t *autoencoderTrainer) fill(step int, into pairBatch) {
	bytes := t.data.imageBytes()
	noise := rand.New(rand.NewPCG(t.options.Seed<<32^uint64(step), 0xd17e4))
	for i := range into.noise.GetData() {
		into.noise.GetData()[i] = t.Latent.noise(noise)
	}
	for i, index := range t.sampler.at(step) {
		pair := t.pairs[index]
		into.actions.GetData()[i] = int32(pair.Action)
		rng := rand.New(rand.NewPCG(t.options.Seed<<32^uint64(step), uint64(i)))
		for view, image := range []int{pair.Before, pair.After} {
			wanted := into.wanted[view].GetData()[i*bytes : (i+1)*bytes]
			copy(wanted, t.data.Image(image))
			encoded := into.images[view].GetData()[i*bytes : (i+1)*bytes]
			if t.Augment {
				augment(encoded, wanted, t.data.Size, rng)
				continue
			}
			copy(encoded, wanted)
		}
	}
}

// withIntervals are the transitions, the pairs of images of the static intervals between them, and the
// refused attempts, which left the state as it was.
func withIntervals(d *Dataset) []Transition {
	all := append([]Transition(nil), d.Transitions...)
	for i := 1; i < len(d.Transitions); i++ {
		if left, found := d.Transitions[i-1].After, d.Transitions[i].Before; d.Transitions[i].Follows && left != found {
			all = append(all, Transition{Before: left, After: found})
		}
	}
	for _, t := range d.Refused {
		if t.Before != t.After {
			all = append(all, Transition{Before: t.Before, After: t.After})
		}
	}
	return all
}
