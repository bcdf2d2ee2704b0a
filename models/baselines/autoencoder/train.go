package autoencoder

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/internal/spread"
	"stripswm/models/augment"
	"stripswm/models/dataset"
	"stripswm/models/inference"
	"stripswm/models/networks"
)

// Point is one point of a learning curve: means, by name, since the point before.
type Point struct {
	Step   int                `json:"step"`
	Losses map[string]float64 `json:"losses"`
}

// Learned is a trained autoencoder.
type Learned struct {
	Settings Settings
	Weights  []float32
	History  []Point
}

// pointEvery is the number of steps between points of the curve.
const pointEvery = 50

// Options say how to run a training.
type Options struct {
	Seed     uint64
	Threads  int                   // 0 means 1
	Progress func(step, steps int) // is called after each step; may be nil
}

// Streams of random numbers, each the second half of a generator's seed. Other values give other
// weights.
const (
	streamWeights uint64 = 0xae1a5 // starting weights
	streamNoise   uint64 = 0xd17e4 // noise of latents; variations of pair i have stream i
)

// Train learns from the data's transitions.
func Train(ctx context.Context, d *dataset.Dataset, a Settings, o Options) (*Learned, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if err := a.validate(); err != nil {
		return nil, err
	}
	if d.Size != a.Backbone.ImageSize() {
		return nil, fmt.Errorf("autoencoder: images are %d pixels wide, the encoder wants %d",
			d.Size, a.Backbone.ImageSize())
	}
	t, err := newTrainer(a, d, o)
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

type trainer struct {
	Settings
	data    *dataset.Dataset
	pairs   []dataset.Transition
	options Options
	engine  networks.Engine
	sets    [2]pairBatch
	feed    *networks.Feed[pairBatch]
	sampler *networks.Sampler
}

// pairBatch is what a step reads of the data.
type pairBatch struct {
	// before and after [batch, size, size, 3]: as encoded, and to be reconstructed
	images, wanted [2]*ort.Tensor[uint8]
	actions        *ort.Tensor[int32]   // [batch]
	noise          *ort.Tensor[float32] // [noises, batch, size]
}

func newPairBatch(a Settings) (b pairBatch, err error) {
	side := a.Decoder.Size
	for _, set := range []*[2]*ort.Tensor[uint8]{&b.images, &b.wanted} {
		for view := range set {
			if set[view], err = networks.NewTensor[uint8]([]int{a.Batch, side, side,
				3}); err != nil {
				return b, err
			}
		}
	}
	if b.actions, err = networks.NewTensor[int32]([]int{a.Batch}); err != nil {
		return b, err
	}
	b.noise, err = networks.Floats(a.Latent.noises(), a.Batch, a.Latent.size())
	return b, err
}

func (b pairBatch) tensors() networks.Inputs {
	return networks.Inputs{Images: b.images[:],
		Extra: []ort.Value{b.actions, b.noise, b.wanted[0], b.wanted[1]}}
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

func newTrainer(a Settings, d *dataset.Dataset, o Options) (t *trainer, err error) {
	t = &trainer{Settings: a, data: d, pairs: a.Latent.pairs(d), options: o}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	task := a.task(o.Threads)
	if t.engine, err = networks.NewEngine(task, o.Seed, streamWeights,
		inference.Options{Threads: o.Threads, Strict: true}); err != nil {
		return t, err
	}
	copy(task.Layout.Of(t.engine.State().Weights(), meanImage), a.Decoder.mean(d))
	for i := range t.sets {
		if t.sets[i], err = newPairBatch(a); err != nil {
			return t, err
		}
	}
	t.sampler = networks.NewSampler(len(t.pairs), a.Batch, o.Seed)
	t.feed = networks.NewFeed(t.sets[0], t.sets[1], t.fill)
	return t, nil
}

// meanImages is the most images whose mean is computed.
const meanImages = 1000

// mean is the mean of up to meanImages images of the data, as apply gives them. Training starts
// with it.
func (n Decoder) mean(d *dataset.Dataset) []float32 {
	images, sums := spread.Indices(d.Images(), meanImages), make([]float64, n.values())
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
				flat = append(flat,
					float32((sums[i]/float64(len(images))-networks.PixelMean)/networks.PixelStd))
			}
		}
	}
	return flat
}

func (t *trainer) close() {
	if t.feed != nil {
		t.feed.Wait()
	}
	if t.engine != nil {
		t.engine.Close()
	}
	for _, set := range t.sets {
		set.free()
	}
}

func (t *trainer) run(ctx context.Context) (*Learned, error) {
	learned := &Learned{Settings: t.Settings}
	names, schedule := t.metrics(), t.Latent.schedule(t.Steps)
	sums, count := make([]float64, len(names)), 0
	for step := range t.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rates := t.ratesAt(step)
		metrics, err := t.engine.Step(append(rates[:], schedule.at(step)...),
			t.feed.At(step).tensors())
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", step, err)
		}
		for i, v := range metrics {
			if v != v {
				return nil, fmt.Errorf("step %d: %s is not a number; try a lower learning rate",
					step, names[i])
			}
			sums[i] += float64(v)
		}
		schedule.saw(step, metrics[len(names)-len(t.Latent.metrics()):])
		count++
		if n := step + 1; n%pointEvery == 0 || n == t.Steps {
			point := Point{n, map[string]float64{}}
			for i, name := range names {
				point.Losses[name] = sums[i] / float64(count)
			}
			learned.History = append(learned.History, point)
			clear(sums)
			count = 0
		}
		if t.options.Progress != nil {
			t.options.Progress(step+1, t.Steps)
		}
	}
	learned.Weights = append(learned.Weights, t.engine.State().Weights()...)
	return learned, nil
}

// ratesAt is Optimizer.Rates, with a learning rate that falls to zero over the last half.
func (a Settings) ratesAt(step int) [3]float32 {
	rates := a.Rates(step)
	rates[0] *= min(1, 2*float32(a.Steps-step)/float32(a.Steps))
	return rates
}

// fill copies a step's pairs into a batch.
func (t *trainer) fill(step int, into pairBatch) {
	bytes := t.data.ImageBytes()
	noise := rand.New(rand.NewPCG(t.options.Seed<<32^uint64(step), streamNoise))
	for i := range into.noise.GetData() {
		into.noise.GetData()[i] = t.Latent.noise(noise)
	}
	for i, index := range t.sampler.At(step) {
		pair := t.pairs[index]
		into.actions.GetData()[i] = int32(pair.Action)
		rng := rand.New(rand.NewPCG(t.options.Seed<<32^uint64(step), uint64(i)))
		for view, image := range []int{pair.Before, pair.After} {
			wanted := into.wanted[view].GetData()[i*bytes : (i+1)*bytes]
			copy(wanted, t.data.Image(image))
			encoded := into.images[view].GetData()[i*bytes : (i+1)*bytes]
			if t.Augment {
				augment.Camera.Apply(encoded, wanted, t.data.Size, rng)
				continue
			}
			copy(encoded, wanted)
		}
	}
}

// withIntervals are the transitions and, as pairs without an action, the two images of each static
// interval and of each refused attempt.
func withIntervals(d *dataset.Dataset) []dataset.Transition {
	all := append([]dataset.Transition(nil), d.Transitions...)
	for i := 1; i < len(d.Transitions); i++ {
		if left, found := d.Transitions[i-1].After,
			d.Transitions[i].Before; d.Transitions[i].Follows && left != found {
			all = append(all, dataset.Transition{Before: left, After: found})
		}
	}
	for _, t := range d.Refused {
		if t.Before != t.After {
			all = append(all, dataset.Transition{Before: t.Before, After: t.After})
		}
	}
	return all
}

// Export returns the encoder as an ONNX network: images in, latents [n, size] without noise out.
func (l *Learned) Export() ([]byte, error) {
	a, own := l.Settings, &networks.Layout{}
	a.Backbone.Declare(own, a.Latent.outputs())
	return networks.ExportNetwork(a.Backbone, own, l.Weights, a.Latent.final)
}

// ExportDecoder returns the decoder as an ONNX network: latents [n, size] in, images
// [n, side, side, 3] of values from 0 to 255 out (inference.Decoder).
func (l *Learned) ExportDecoder() ([]byte, error) {
	a, own := l.Settings, &networks.Layout{}
	a.Decoder.declare(own, a.Latent.size())
	weights := l.Weights[len(l.Weights)-own.Count():]
	model, err := networks.ExportBatch(func(latents *g.Node) *g.Node {
		y, _ := a.Decoder.apply(own.Constants(latents.Graph(), weights), latents)
		return a.Decoder.images(y)
	}, inference.CodeName, dtypes.Float32, a.Latent.size())
	if err != nil {
		return nil, fmt.Errorf("export decoder: %w", err)
	}
	return model, nil
}
