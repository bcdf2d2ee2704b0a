package autoencoder

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

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
	defer t.engine.Close()
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
	engine  *networks.Trainer
	sampler *networks.Sampler
}

func newTrainer(a Settings, d *dataset.Dataset, o Options) (t *trainer, err error) {
	t = &trainer{Settings: a, data: d, pairs: a.Latent.pairs(d), options: o}
	t.sampler = networks.NewSampler(len(t.pairs), a.Batch, o.Seed)
	task := a.task(o.Threads)
	if t.engine, err = networks.NewTrainer(task, o.Seed, streamWeights,
		inference.Options{Threads: o.Threads, Strict: true}, t.fill); err != nil {
		return nil, err
	}
	copy(task.Layout.Of(t.engine.State().Weights(), meanImage), a.Decoder.mean(d))
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

func (t *trainer) run(ctx context.Context) (*Learned, error) {
	learned := &Learned{Settings: t.Settings}
	schedule := t.Latent.schedule(t.Steps)
	for step := range t.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		metrics, err := t.step(step, schedule)
		if err != nil {
			return nil, err
		}
		schedule.saw(step, metrics[len(metrics)-len(t.Latent.metrics()):])
		if n := step + 1; n%pointEvery == 0 || n == t.Steps {
			learned.History = append(learned.History, Point{n, t.engine.Means()})
		}
		if t.options.Progress != nil {
			t.options.Progress(step+1, t.Steps)
		}
	}
	learned.Weights = append(learned.Weights, t.engine.State().Weights()...)
	return learned, nil
}

func (t *trainer) step(step int, schedule latentSchedule) (metrics []float32, err error) {
	rates := t.ratesAt(step)
	return t.engine.Train(step, append(rates[:], schedule.at(step)...))
}

// ratesAt is Optimizer.Rates, with a learning rate that falls to zero over the last half.
func (a Settings) ratesAt(step int) [3]float32 {
	rates := a.Rates(step)
	rates[0] *= min(1, 2*float32(a.Steps-step)/float32(a.Steps))
	return rates
}

// fill copies a step's pairs into the inputs of Settings.task.
func (t *trainer) fill(step int, into networks.Inputs) {
	bytes := t.data.ImageBytes()
	actions, values := networks.Numbers[int32](into, 0), networks.Numbers[float32](into, 1)
	noise := rand.New(rand.NewPCG(t.options.Seed<<32^uint64(step), streamNoise))
	for i := range values {
		values[i] = t.Latent.noise(noise)
	}
	for i, index := range t.sampler.At(step) {
		pair := t.pairs[index]
		actions[i] = int32(pair.Action)
		rng := rand.New(rand.NewPCG(t.options.Seed<<32^uint64(step), uint64(i)))
		for view, image := range []int{pair.Before, pair.After} {
			wanted := networks.Numbers[uint8](into, 2+view)[i*bytes : (i+1)*bytes]
			copy(wanted, t.data.Image(image))
			encoded := into.Images[view].GetData()[i*bytes : (i+1)*bytes]
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
