package autoencoder

import (
	"math/rand/v2"
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
