package vision

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
)

// tinyAutoencoder is small enough for finite differences.
func tinyAutoencoder(l Latent) Autoencoder {
	return Autoencoder{
		Backbone: tinyBackbones["isotropic"], Latent: l, Batch: 4, Steps: 10,
		Decoder:   Decoder{Size: 8, Patch: 2, Dim: 3, Depth: 1, Kernel: 3, Expand: 2, Hidden: 4},
		Optimizer: Optimizer{LearningRate: 1e-3, Beta1: 0.9, Beta2: 0.99},
	}
}

// latentKinds are all kinds, with every loss in play.
var latentKinds = map[string]Latent{
	"continuous": Continuous{Dims: 3, Beta: 0.5, Gamma: 2, BetaSteps: 0.5, Margin: 0.1, MarginSteps: 5},
	"cube":       CubeSpace{Bits: 3, Actions: 2, Sigma: 0.7, Prior: 0.1, PriorShare: 1, Transition: 2, Slow: 0.5, Hot: 5, Cold: 0.5, Intervals: true},
}

// TestAutoencoderGradients compares every weight's gradient with central differences of the
// whole loss.
func TestAutoencoderGradients(t *testing.T) {
	for name, l := range latentKinds {
		t.Run(name, func(t *testing.T) { checkAutoencoder(t, tinyAutoencoder(l)) })
	}
}

func checkAutoencoder(t *testing.T, a Autoencoder) {
	rng := rand.New(rand.NewPCG(3, 4))
	task := a.task(1)
	flatWeights := task.layout.initial(rng)
	for i := range flatWeights {
		flatWeights[i] += float32(0.2 * rng.NormFloat64()) // away from the zeros of a fresh start
	}
	side := a.Decoder.Size
	images := func() []uint8 {
		pix := make([]uint8, a.Batch*side*side*3)
		for i := range pix {
			pix[i] = uint8(rng.IntN(256))
		}
		return pix
	}
	noise := make([]float32, a.Latent.noises()*a.Batch*a.Latent.size())
	for i := range noise {
		noise[i] = a.Latent.noise(rng)
	}
	views := shapes.Make(dtypes.Uint8, a.Batch, side, side, 3)
	shares := a.Latent.schedule(a.Steps).at(a.Steps / 2)
	shares[len(shares)-1] = 2 // of Continuous the margin, so that the action term is in play
	in := append([]shapes.Shape{flat(task.layout.total), flat(len(shares)), views, views}, task.rest...)
	p, err := compile(func(in []*g.Node) []*g.Node {
		w := task.layout.split(in[0])
		h, back := a.Backbone.apply(w, g.Concatenate(in[2:4], 0))
		d := newGradients(w)
		dh, metrics := a.judge(d, h, nil, in[1], in[4:])
		back(d, dh)
		return []*g.Node{g.Reshape(metrics[0], 1), d.flat(0)}
	}, in, 2, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	x := filled(t, flatWeights, task.layout.total)
	dims := func(i int) []int { return task.rest[i].Dimensions }
	before, after := filled(t, images(), views.Dimensions...), filled(t, images(), views.Dimensions...)
	values := []ort.Value{x, filled(t, shares, len(shares)), before, after, filled(t, []int32{1, 0, 2, 0}, dims(0)...), filled(t, noise, dims(1)...), before, after}
	loss, gradient := filled(t, make([]float32, 1), 1), filled(t, make([]float32, task.layout.total), task.layout.total)
	eval := func() float64 {
		if err := p.run(values, []ort.Value{loss, gradient}); err != nil {
			t.Fatal(err)
		}
		return float64(loss.GetData()[0])
	}
	eval()
	analytic := slices.Clone(gradient.GetData())
	holdGradient(t, task.layout, x.GetData(), analytic, eval, 1e-3, 4e-3)
}

// lampDrawer is an autoencoder for the images of lamps.
func lampDrawer(l Latent) Autoencoder {
	p := tiny()
	return Autoencoder{
		Backbone: p.Backbone, Latent: l, Optimizer: p.WorldModel.Optimizer, Batch: 32, Steps: 300, Augment: true,
		Decoder: Decoder{Size: 16, Patch: 4, Dim: 16, Depth: 1, Kernel: 3, Expand: 2, Hidden: 32},
	}
}

// TestAutoencoderDrawsWhatItSees draws lamps from latents, with exported networks.
func TestAutoencoderDrawsWhatItSees(t *testing.T) {
	d, truth := newLamps(1).transitions(300)
	for name, l := range latentKinds {
		t.Run(name, func(t *testing.T) {
			learned, err := TrainAutoencoder(t.Context(), d, lampDrawer(l), Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			encoder, decoder := exportedAutoencoder(t, learned)
			if _, err := decoder.Draw(make([]float32, decoder.Dims+1)); err == nil || decoder.Side != d.Size {
				t.Errorf("a decoder of side %d draws a vector that is too long: %v", decoder.Side, err)
			}
			side := d.Size
			for image := range 40 {
				latent, err := encoder.Run(d.Image(image))
				if err != nil {
					t.Fatal(err)
				}
				drawn, err := decoder.Draw(latent)
				if err != nil {
					t.Fatal(err)
				}
				for lamp := range 2 {
					at := ((side-3)*side + side/4 + lamp*side/2) * 3 // in the middle of the lamp
					if lit := truth[image]>>lamp&1 == 1; lit != (drawn[at] > 110) {
						t.Errorf("image %d, lamp %d: lit is %v, drawn %d", image, lamp, lit, drawn[at])
					}
				}
			}
			if last := learned.History[len(learned.History)-1]; last.Losses[reconstruction] > learned.History[0].Losses[reconstruction]/2 {
				t.Errorf("reconstruction fell from %v to %v only", learned.History[0].Losses, last.Losses)
			}
		})
	}
}

func exportedAutoencoder(t *testing.T, l *LearnedAutoencoder) (*inference.Network, *inference.Decoder) {
	t.Helper()
	model, err := l.Export()
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := inference.Open(model, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { encoder.Close() })
	if model, err = l.ExportDecoder(); err != nil {
		t.Fatal(err)
	}
	decoder, err := inference.OpenDecoder(model, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { decoder.Close() })
	return encoder, decoder
}

// TestAutoencoderIsDeterministic trains twice, on one thread and on two.
func TestAutoencoderIsDeterministic(t *testing.T) {
	d, _ := newLamps(2).transitions(60)
	for name, l := range latentKinds {
		t.Run(name, func(t *testing.T) {
			a := lampDrawer(l)
			a.Steps = 20
			var first []float32
			for _, threads := range []int{1, 1, 2} {
				learned, err := TrainAutoencoder(t.Context(), d, a, Options{Seed: 1, Threads: threads})
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = learned.Weights
				} else if !slices.Equal(first, learned.Weights) {
					t.Errorf("%d threads gave other weights", threads)
				}
			}
			other, err := TrainAutoencoder(t.Context(), d, a, Options{Seed: 2})
			if err != nil || slices.Equal(first, other.Weights) {
				t.Errorf("another seed gave the same weights, %v", err)
			}
		})
	}
}

func TestAutoencoderRefuses(t *testing.T) {
	d, _ := newLamps(2).transitions(10)
	a := lampDrawer(latentKinds["continuous"])
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := TrainAutoencoder(ended, d, a, Options{}); err == nil {
		t.Error("an ended training gave weights")
	}
	a.Decoder.Patch = 5
	if _, err := TrainAutoencoder(t.Context(), d, a, Options{}); err == nil {
		t.Error("a decoder with broken patches trains")
	}
	a = lampDrawer(latentKinds["continuous"])
	a.Decoder.Size = 8
	if _, err := TrainAutoencoder(t.Context(), d, a, Options{}); err == nil {
		t.Error("a decoder of another size trains")
	}
}

func BenchmarkAutoencoderStep(b *testing.B) {
	d := noiseData(b, 64, 18, 64)
	p := Small()
	a := Autoencoder{
		Backbone: p.Backbone, Batch: 64, Steps: 1000, Augment: true, Optimizer: p.WorldModel.Optimizer,
		Latent:  Continuous{Dims: 12, Beta: 1, Gamma: 10, BetaSteps: 0.5, Margin: 0.1, MarginSteps: 100},
		Decoder: Decoder{Size: 64, Patch: 8, Dim: 32, Depth: 1, Kernel: 3, Expand: 4, Hidden: 128},
	}
	t, err := newAutoencoderTrainer(a, d, Options{Seed: 1, Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer t.close()
	schedule := a.Latent.schedule(a.Steps)
	for step := 0; b.Loop(); step++ {
		rates := a.ratesAt(step)
		if _, err := t.engine.step(append(rates[:], schedule.at(step)...), t.feed.at(step).tensors()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(2*a.Batch*b.N)/b.Elapsed().Seconds(), "images/s")
}
