package networks

import (
	"math/rand/v2"
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
	const batch, outputs = 2, 3
	l := &Layout{}
	b.Declare(l, outputs)
	rng := rand.New(rand.NewPCG(1, 2))
	flat := l.Initial(rng)
	for i := range flat {
		flat[i] += float32(0.2 * rng.NormFloat64()) // away from the zeros of a fresh start
	}
	images := make([]uint8, batch*b.ImageSize()*b.ImageSize()*3)
	for i := range images {
		images[i] = uint8(rng.IntN(256))
	}
	direction := make([]float32, batch*outputs)
	for i := range direction {
		direction[i] = float32(rng.NormFloat64())
	}

	p, err := Compile(func(in []*g.Node) []*g.Node {
		w := l.Split(in[0])
		y, back := b.Apply(w, in[1])
		d := NewGradients(w)
		back(d, in[2])
		return []*g.Node{g.Reshape(g.ReduceAllSum(g.Mul(y, in[2])), 1), d.Flat(0)}
	}, []shapes.Shape{
		shapes.Make(dtypes.Float32, l.total),
		shapes.Make(dtypes.Uint8, batch, b.ImageSize(), b.ImageSize(), 3),
		shapes.Make(dtypes.Float32, batch, outputs),
	}, 2, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	x := networkstest.Filled(t, flat, l.total)
	in := []ort.Value{x, networkstest.Filled(t, images, batch, b.ImageSize(), b.ImageSize(), 3),
		networkstest.Filled(t, direction, batch, outputs)}
	loss, gradient := networkstest.Filled(t, make([]float32, 1), 1),
		networkstest.Filled(t, make([]float32, l.total), l.total)
	eval := func() float64 {
		if err := p.Run(in, []ort.Value{loss, gradient}); err != nil {
			t.Fatal(err)
		}
		return float64(loss.GetData()[0])
	}
	eval()
	analytic := append([]float32(nil), gradient.GetData()...)
	networkstest.CheckGradient(t, l, x.GetData(), analytic, eval, 3e-3, 2e-3)
}
