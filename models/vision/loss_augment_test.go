package vision

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/augment"
	"stripswm/models/dataset"
	"stripswm/models/dataset/datasettest"
	"stripswm/models/inference"
	"stripswm/models/networks"
	"stripswm/models/networks/networkstest"
)

// TestAugmentAttractsToTheCode works L_aug out by hand: it is 0 where the varied
// image's latent is the image's code, and draws that latent alone.
func TestAugmentAttractsToTheCode(t *testing.T) {
	const batch, dims = 4, 3
	at := slices.Index(lossNames(), "augment")
	shape := shapes.Make(dtypes.Float32, batch, dims)
	p, err := networks.Compile(func(in []*g.Node) []*g.Node {
		value := losses[at].value(inputs{augmented: in[0], nowCode: in[1]}, nil)
		by := g.Gradient(value, in[0], in[1])
		return []*g.Node{g.Reshape(value, 1), by[0], by[1]}
	}, []shapes.Shape{shape, shape}, 3, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	rng := rand.New(rand.NewPCG(1, 1))
	code := make([]float32, batch*dims)
	for i := range code {
		code[i] = float32(rng.IntN(5) - 2)
	}
	for _, spread := range []float64{0, 0.4} {
		varied := make([]float32, len(code))
		want := 0.0
		for i := range varied {
			varied[i] = code[i] + float32(spread*rng.NormFloat64())
			want += math.Pow(float64(varied[i]-code[i]), 2) / batch
		}
		value := networkstest.Filled(t, make([]float32, 1), 1)
		byVaried, byCode := networkstest.Filled(t, make([]float32, len(code)), batch, dims),
			networkstest.Filled(t, make([]float32, len(code)), batch, dims)
		in := []ort.Value{networkstest.Filled(t, varied, batch, dims),
			networkstest.Filled(t, code, batch, dims)}
		if err := p.Run(in, []ort.Value{value, byVaried, byCode}); err != nil {
			t.Fatal(err)
		}
		if got := float64(value.GetData()[0]); math.Abs(got-want) > 1e-5 {
			t.Errorf("spread %g: %g, want %g", spread, got, want)
		}
		for i := range varied {
			if got, want := byVaried.GetData()[i],
				2*(varied[i]-code[i])/batch; math.Abs(float64(got-want)) > 1e-5 {
				t.Errorf("spread %g: gradient %g, want %g", spread, got, want)
			}
			if byCode.GetData()[i] != 0 {
				t.Errorf("spread %g: the code is drawn to the varied image", spread)
			}
		}
	}
}

// TestAugmentGivesVariedImagesOneCode trains with L_aug and without, in both cases
// on the images as they are, and compares the codes of images and their variations.
func TestAugmentGivesVariedImagesOneCode(t *testing.T) {
	distinct := func(weight float64) float64 {
		d, _ := datasettest.NewLamps(9).Transitions(100)
		p := tiny()
		p.Augment = augment.None
		p.Objective["augment"] = Term{Weight: weight}
		p.WorldModel.Steps = 200
		learned, err := TrainWorldModel(context.Background(), d, p, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		varied := dataset.New(d.Size, d.Actions, d.Images())
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range d.Images() {
			image := make([]uint8, d.ImageBytes())
			augment.Camera.Apply(image, d.Image(i), d.Size, rng)
			if _, err := varied.AddImage(image); err != nil {
				t.Fatal(err)
			}
		}
		codes, variedCodes := codesOf(t, learned, d), codesOf(t, learned, varied)
		other := 0
		for i := range codes {
			if codes[i] != variedCodes[i] {
				other++
			}
		}
		return float64(other) / float64(len(codes))
	}
	without, with := distinct(0), distinct(0.3)
	if with > without/2 {
		t.Errorf("%.0f %% of varied images have another code with the loss, %.0f %% without",
			100*with, 100*without)
	}
}
