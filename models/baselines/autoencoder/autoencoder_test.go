package autoencoder

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/dataset"
	"stripswm/models/dataset/datasettest"
	"stripswm/models/inference"
	"stripswm/models/networks"
	"stripswm/models/networks/networkstest"
	"stripswm/models/strips"
)

// tinyAutoencoder is small enough for finite differences.
func tinyAutoencoder(l Latent) Settings {
	return Settings{
		Backbone: networks.Isotropic{Size: 8, Patch: 2, Dim: 3, Depth: 1, Kernel: 3, Expand: 2,
			Reduced: 2, Hidden: 4}, Latent: l, Batch: 4, Steps: 10,
		Decoder:   Decoder{Size: 8, Patch: 2, Dim: 3, Depth: 1, Kernel: 3, Expand: 2, Hidden: 4},
		Optimizer: networks.Optimizer{LearningRate: 1e-3, Beta1: 0.9, Beta2: 0.99},
	}
}

// latentKinds are all kinds, with every loss in play.
var latentKinds = map[string]Latent{
	"continuous": Continuous{Dims: 3, Beta: 0.5, Gamma: 2, BetaSteps: 0.5, Margin: 0.1,
		MarginSteps: 5},
	"cube": CubeSpace{Bits: 3, Actions: 2, Sigma: 0.7, Prior: 0.1, PriorShare: 1,
		Transition: 2, Slow: 0.5, Hot: 5, Cold: 0.5, Intervals: true},
}

// TestAutoencoderGradients compares every weight's gradient with central differences of the
// whole loss.
func TestAutoencoderGradients(t *testing.T) {
	for name, l := range latentKinds {
		t.Run(name, func(t *testing.T) { checkAutoencoder(t, tinyAutoencoder(l)) })
	}
}

func checkAutoencoder(t *testing.T, a Settings) {
	rng := rand.New(rand.NewPCG(3, 4))
	task := a.task(1)
	flatWeights := task.Layout.Initial(rng)
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
	in := append([]shapes.Shape{shapes.Make(dtypes.Float32, task.Layout.Count()),
		shapes.Make(dtypes.Float32, len(shares)), views, views}, task.Extra...)
	p, err := networks.Compile(func(in []*g.Node) []*g.Node {
		w := task.Layout.Split(in[0])
		h, back := a.Backbone.Apply(w, g.Concatenate(in[2:4], 0))
		d := networks.NewGradients(w)
		dh, metrics := a.loss(d, h, nil, in[1], in[4:])
		back(d, dh)
		return []*g.Node{g.Reshape(metrics[0], 1), d.Flat(0)}
	}, in, 2, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	x := networkstest.Filled(t, flatWeights, task.Layout.Count())
	dims := func(i int) []int { return task.Extra[i].Dimensions }
	before, after := networkstest.Filled(t, images(), views.Dimensions...),
		networkstest.Filled(t, images(), views.Dimensions...)
	values := []ort.Value{x, networkstest.Filled(t, shares, len(shares)), before, after,
		networkstest.Filled(t, []int32{1, 0, 2, 0}, dims(0)...),
		networkstest.Filled(t, noise, dims(1)...), before, after}
	loss, gradient := networkstest.Filled(t, make([]float32, 1), 1),
		networkstest.Filled(t, make([]float32, task.Layout.Count()), task.Layout.Count())
	eval := func() float64 {
		if err := p.Run(values, []ort.Value{loss, gradient}); err != nil {
			t.Fatal(err)
		}
		return float64(loss.GetData()[0])
	}
	eval()
	analytic := slices.Clone(gradient.GetData())
	networkstest.CheckGradient(t, task.Layout, x.GetData(), analytic, eval, 1e-3, 4e-3)
}

// lampDrawer is an autoencoder for the images of lamps.
func lampDrawer(l Latent) Settings {
	return Settings{
		Backbone: networks.Isotropic{Size: 16, Patch: 4, Dim: 16, Depth: 1, Kernel: 3, Expand: 2,
			Reduced: 4, Hidden: 16},
		Optimizer: networks.Optimizer{LearningRate: 2e-3, WeightDecay: 0.01, Warmup: 20, Beta1: 0.9,
			Beta2: 0.99},
		Latent: l, Batch: 32, Steps: 300, Augment: true,
		Decoder: Decoder{Size: 16, Patch: 4, Dim: 16, Depth: 1, Kernel: 3, Expand: 2, Hidden: 32},
	}
}

// TestAutoencoderReconstructs draws lamps from latents, with exported networks.
func TestAutoencoderReconstructs(t *testing.T) {
	d, truth := datasettest.NewLamps(1).Transitions(300)
	for name, l := range latentKinds {
		t.Run(name, func(t *testing.T) {
			learned, err := Train(t.Context(), d, lampDrawer(l), Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			encoder, decoder := exportedAutoencoder(t, learned)
			if _, err := decoder.Draw(make([]float32, decoder.Dims+1)); err == nil ||
				decoder.Side != d.Size {
				t.Errorf("a decoder of side %d draws a vector that is too long: %v", decoder.Side,
					err)
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
						t.Errorf("image %d, lamp %d: lit is %v, drawn %d", image, lamp, lit,
							drawn[at])
					}
				}
			}
			first, last := learned.History[0], learned.History[len(learned.History)-1]
			if last.Losses[reconstruction] > first.Losses[reconstruction]/2 {
				t.Errorf("reconstruction fell from %v to %v only", learned.History[0].Losses,
					last.Losses)
			}
		})
	}
}

func exportedAutoencoder(t *testing.T, l *Learned) (*inference.Network, *inference.Decoder) {
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
	d, _ := datasettest.NewLamps(2).Transitions(60)
	for name, l := range latentKinds {
		t.Run(name, func(t *testing.T) {
			a := lampDrawer(l)
			a.Steps = 20
			var first []float32
			for _, threads := range []int{1, 1, 2} {
				learned, err := Train(t.Context(), d, a, Options{Seed: 1, Threads: threads})
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = learned.Weights
				} else if !slices.Equal(first, learned.Weights) {
					t.Errorf("%d threads gave other weights", threads)
				}
			}
			other, err := Train(t.Context(), d, a, Options{Seed: 2})
			if err != nil || slices.Equal(first, other.Weights) {
				t.Errorf("another seed gave the same weights, %v", err)
			}
		})
	}
}

func TestAutoencoderRefuses(t *testing.T) {
	d, _ := datasettest.NewLamps(2).Transitions(10)
	a := lampDrawer(latentKinds["continuous"])
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Train(ended, d, a, Options{}); err == nil {
		t.Error("an ended training gave weights")
	}
	a.Decoder.Patch = 5
	if _, err := Train(t.Context(), d, a, Options{}); err == nil {
		t.Error("a decoder with broken patches trains")
	}
	a = lampDrawer(latentKinds["continuous"])
	a.Decoder.Size = 8
	if _, err := Train(t.Context(), d, a, Options{}); err == nil {
		t.Error("a decoder of another size trains")
	}
}

func BenchmarkAutoencoderStep(b *testing.B) {
	d := datasettest.Noise(b, 64, 18, 64)
	backbone := networks.Isotropic{Size: 64, Patch: 8, Dim: 64, Depth: 2, Kernel: 7, Expand: 4,
		Reduced: 16, Hidden: 64}
	a := Settings{
		Backbone: backbone, Batch: 64, Steps: 1000, Augment: true,
		Optimizer: networks.Optimizer{LearningRate: 2e-3, WeightDecay: 0.01, Warmup: 50, Beta1: 0.9,
			Beta2: 0.99},
		Latent: Continuous{Dims: 12, Beta: 1, Gamma: 10, BetaSteps: 0.5, Margin: 0.1,
			MarginSteps: 100},
		Decoder: Decoder{Size: 64, Patch: 8, Dim: 32, Depth: 1, Kernel: 3, Expand: 4,
			Hidden: 128},
	}
	t, err := newTrainer(a, d, Options{Seed: 1, Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer t.engine.Close()
	schedule := a.Latent.schedule(a.Steps)
	for step := 0; b.Loop(); step++ {
		if _, err := t.step(step, schedule); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(2*a.Batch*b.N)/b.Elapsed().Seconds(), "images/s")
}

// TestEffectsAreBackToLogit compares the effects with the network's own successors of all
// transitions in one batch, at random weights.
func TestEffectsAreBackToLogit(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	c := CubeSpace{Bits: 9, Actions: 4, Hot: 5, Cold: 0.5, Sigma: 1, Prior: 0.1}
	a := tinyAutoencoder(c)
	learned := &Learned{Settings: a, Weights: a.layout().Initial(rng)}
	for i := range learned.Weights {
		learned.Weights[i] += float32(0.5 * rng.NormFloat64())
	}
	const n = 60
	d := dataset.New(8, c.Actions, 2*n)
	var codes []strips.State
	bits, actions := make([]float32, 0, n*c.Bits), make([]int32, 0, n)
	for range n {
		for range 2 {
			if _, err := d.AddImage(make([]uint8, 8*8*3)); err != nil {
				t.Fatal(err)
			}
			values := make([]bool, c.Bits)
			for i := range values {
				values[i] = i > 0 && rng.IntN(3) == 0 // the first has one value
			}
			codes = append(codes, strips.StateOf(values))
		}
		action := 1 + rng.IntN(c.Actions)
		if err := d.AddTransition(dataset.Transition{Before: len(codes) - 2, After: len(codes) - 1,
			Action: strips.ActionID(action)}); err != nil {
			t.Fatal(err)
		}
		actions = append(actions, int32(action))
		for _, held := range codes[len(codes)-2].Bools() {
			bits = append(bits, map[bool]float32{true: 1}[held])
		}
	}
	effects, err := learned.Effects(d, codes)
	if err != nil {
		t.Fatal(err)
	}
	p, err := networks.Compile(func(in []*g.Node) []*g.Node {
		return []*g.Node{c.successor(a.layout().Split(in[0]), in[1], in[2])}
	}, []shapes.Shape{shapes.Make(dtypes.Float32, len(learned.Weights)),
		shapes.Make(dtypes.Float32, n, c.Bits), shapes.Make(dtypes.Int32, n)}, 1,
		inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	logits := networkstest.Filled(t, make([]float32, n*c.Bits), n, c.Bits)
	if err := p.Run([]ort.Value{networkstest.Filled(t, learned.Weights, len(learned.Weights)),
		networkstest.Filled(t, bits, n, c.Bits), networkstest.Filled(t, actions, n)},
		[]ort.Value{logits}); err != nil {
		t.Fatal(err)
	}
	seen := map[Effect]int{}
	for i, logit := range logits.GetData() {
		effect := effects[actions[i/c.Bits]-1][i%c.Bits]
		seen[effect]++
		if want := effect == Adds || effect == Leaves && bits[i] == 1; want != (logit > 0) {
			t.Errorf("transition %d, bit %d: effect %d, bit before %v, logit after %v",
				i/c.Bits, i%c.Bits, effect, bits[i], logit)
		}
	}
	if len(seen) != 3 {
		t.Errorf("only the effects %v occur", seen)
	}
}

func TestEffectsRefuse(t *testing.T) {
	d, _ := datasettest.NewLamps(2).Transitions(10)
	a := tinyAutoencoder(latentKinds["continuous"])
	if _, err := (&Learned{Settings: a}).Effects(d, nil); err == nil {
		t.Error("a continuous latent space has effects")
	}
	a = tinyAutoencoder(latentKinds["cube"])
	if _, err := (&Learned{Settings: a}).Effects(d, nil); err == nil {
		t.Error("effects without codes")
	}
}
