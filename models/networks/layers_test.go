package networks

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
	"stripswm/models/networks/networkstest"
)

// tinyBackbones are small enough for finite differences and cover each layer: both
// networks, both depthwise forms, a downsampling with a cropped column.
var tinyBackbones = map[string]Backbone{
	"isotropic": Isotropic{Size: 8, Patch: 2, Dim: 3, Depth: 1, Kernel: 3, Expand: 2, Reduced: 2,
		Hidden: 4},
	"linear": Isotropic{Size: 8, Patch: 2, Dim: 3, Depth: 1, Kernel: 3, Expand: 2, Reduced: 2},
	"convnext": ConvNeXt{Size: 10, Patch: 2, Dims: []int{3, 4}, Depths: []int{1, 1}, Kernel: 3,
		Expand: 2},
	"thumbnail": Thumbnail{Size: 4},
	"grouped": ConvNeXt{Size: 18, Patch: 2, Dims: []int{3}, Depths: []int{1}, Kernel: 5,
		Expand: 2},
}

// TestBackboneGradients compares every weight's gradient with central
// differences of the loss sum(output * direction).
func TestBackboneGradients(t *testing.T) {
	for name, b := range tinyBackbones {
		t.Run(name, func(t *testing.T) { checkGradients(t, b) })
	}
}

func checkGradients(t *testing.T, b Backbone) {
	p := passesOf(t, b, 2, 3, 0.2) // away from the zeros of a fresh start
	eval := func() (loss float64) {
		p.run()
		for i, y := range p.output.GetData() {
			loss += float64(y * p.direction[i])
		}
		return loss
	}
	eval()
	analytic := slices.Clone(p.gradient.GetData())
	networkstest.CheckGradient(t, p.Layout, p.weights.GetData(), analytic, eval, 3e-3, 2e-3)
}

// passes are a forward and a backward pass of a backbone as one graph, on random images: the
// gradient of the product of its outputs and a direction.
type passes struct {
	*Layout
	images                    []uint8
	direction                 []float32
	weights, output, gradient *ort.Tensor[float32]
	run                       func()
}

// passesOf has weights that differ from the initial ones by noise.
func passesOf(t *testing.T, b Backbone, batch, outputs int, noise float64) *passes {
	size := b.ImageSize()
	p := &passes{Layout: &Layout{}, images: make([]uint8, batch*size*size*3),
		direction: make([]float32, batch*outputs)}
	b.Declare(p.Layout, outputs)
	rng := rand.New(rand.NewPCG(1, 2))
	flat := p.Initial(rng)
	for i := range flat {
		flat[i] += float32(noise * rng.NormFloat64())
	}
	for i := range p.images {
		p.images[i] = uint8(rng.IntN(256))
	}
	for i := range p.direction {
		p.direction[i] = float32(rng.NormFloat64())
	}
	program, err := Compile(func(in []*g.Node) []*g.Node {
		w := p.Split(in[0])
		y, back := b.Apply(w, in[1])
		d := NewGradients(w)
		back(d, in[2])
		return []*g.Node{y, d.Flat(0)}
	}, []shapes.Shape{
		shapes.Make(dtypes.Float32, p.total),
		shapes.Make(dtypes.Uint8, batch, size, size, 3),
		shapes.Make(dtypes.Float32, batch, outputs),
	}, 2, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(program.Close)
	p.weights = networkstest.Filled(t, flat, p.total)
	p.output = networkstest.Filled(t, make([]float32, batch*outputs), batch, outputs)
	p.gradient = networkstest.Filled(t, make([]float32, p.total), p.total)
	in := []ort.Value{p.weights, networkstest.Filled(t, p.images, batch, size, size, 3),
		networkstest.Filled(t, p.direction, batch, outputs)}
	p.run = func() {
		if err := program.Run(in, []ort.Value{p.output, p.gradient}); err != nil {
			t.Fatal(err)
		}
	}
	return p
}
