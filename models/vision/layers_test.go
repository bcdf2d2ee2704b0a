package vision

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
)

// tinyBackbones are small enough for finite differences and cover each layer: both
// networks, both depthwise forms, a downsampling with a cropped column.
var tinyBackbones = map[string]Backbone{
	"isotropic": Isotropic{Size: 8, Patch: 2, Dim: 3, Depth: 1, Kernel: 3, Expand: 2, Reduced: 2, Hidden: 4},
	"convnext":  ConvNeXt{Size: 10, Patch: 2, Dims: []int{3, 4}, Depths: []int{1, 1}, Kernel: 3, Expand: 2},
	"grouped":   ConvNeXt{Size: 18, Patch: 2, Dims: []int{3}, Depths: []int{1}, Kernel: 5, Expand: 2},
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
	l := &layout{}
	b.declare(l, outputs)
	rng := rand.New(rand.NewPCG(1, 2))
	flat := l.initial(rng)
	for i := range flat {
		flat[i] += float32(0.2 * rng.NormFloat64()) // away from the zeros of a fresh start
	}
	images := make([]uint8, batch*b.size()*b.size()*3)
	for i := range images {
		images[i] = uint8(rng.IntN(256))
	}
	direction := make([]float32, batch*outputs)
	for i := range direction {
		direction[i] = float32(rng.NormFloat64())
	}

	p, err := compile(func(in []*g.Node) []*g.Node {
		w := l.split(in[0])
		y, back := b.apply(w, in[1])
		d := newGradients(w)
		back(d, in[2])
		return []*g.Node{g.Reshape(g.ReduceAllSum(g.Mul(y, in[2])), 1), d.flat(0)}
	}, []shapes.Shape{
		shapes.Make(dtypes.Float32, l.total),
		shapes.Make(dtypes.Uint8, batch, b.size(), b.size(), 3),
		shapes.Make(dtypes.Float32, batch, outputs),
	}, 2, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	x := filled(t, flat, l.total)
	in := []ort.Value{x, filled(t, images, batch, b.size(), b.size(), 3), filled(t, direction, batch, outputs)}
	loss, gradient := filled(t, make([]float32, 1), 1), filled(t, make([]float32, l.total), l.total)
	eval := func() float64 {
		if err := p.run(in, []ort.Value{loss, gradient}); err != nil {
			t.Fatal(err)
		}
		return float64(loss.GetData()[0])
	}
	eval()
	analytic := append([]float32(nil), gradient.GetData()...)
	holdGradient(t, l, x.GetData(), analytic, eval, 3e-3, 2e-3)
}

// holdGradient holds the gradient by each weight of a layout against differences of what eval makes of the weights x.
func holdGradient(t *testing.T, l *layout, x, analytic []float32, eval func() float64, step float32, least float64) {
	t.Helper()
	for _, s := range l.slots {
		worst, scale := 0.0, 1e-3
		for at := s.offset; at < s.offset+s.size(); at++ {
			was := x[at]
			x[at] = was + step
			up := eval()
			x[at] = was - step
			down := eval()
			x[at] = was
			numeric := (up - down) / (2 * float64(step))
			worst = max(worst, math.Abs(numeric-float64(analytic[at])))
			scale = max(scale, math.Abs(numeric))
		}
		if worst > 0.02*scale+least {
			t.Errorf("%s: gradient is off by %.2g of %.2g", s.name, worst, scale)
		}
	}
}

func filled[T ort.TensorData](t testing.TB, data []T, dims ...int) *ort.Tensor[T] {
	t.Helper()
	tensor, err := newTensor[T](dims)
	if err != nil {
		t.Fatal(err)
	}
	copy(tensor.GetData(), data)
	t.Cleanup(func() { tensor.Destroy() })
	return tensor
}

func ExampleFSQ_Code() {
	q := FSQ{Levels: 5, Dims: 3}
	fmt.Println(q, q.Code([]float32{-1.9, 0.2, 1.4}))
	// Output: [5]^3 023
}
