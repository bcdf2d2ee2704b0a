package networks

import (
	"fmt"
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

// smallBackbone is that of the presets small, medium and auto.
var smallBackbone = Isotropic{Size: 64, Patch: 8, Dim: 64, Depth: 2, Kernel: 7, Expand: 4,
	Reduced: 16, Hidden: 64}

// TestCPUNetworkIsTheGraph holds the network on our own kernels against the same network
// built by GoMLX and run by ONNX Runtime: outputs and every weight's gradient.
func TestCPUNetworkIsTheGraph(t *testing.T) {
	small := smallBackbone
	fine := small
	fine.Size, fine.Patch = 60, 5
	linear := small
	linear.Hidden = 0
	for _, test := range []struct {
		net     Isotropic
		images  int
		outputs int
	}{
		{tinyBackbones["isotropic"].(Isotropic), 2, 3},
		{small, cpuGroup + 3, 5},
		{small, 1, 40},
		{fine, 3, 7},
		{linear, 3, 7},
	} {
		t.Run(fmt.Sprintf("%+v, %d images", test.net, test.images), func(t *testing.T) {
			b, n := test.net, test.images
			l := &Layout{}
			b.Declare(l, test.outputs)
			rng := rand.New(rand.NewPCG(8, 8))
			flat := l.Initial(rng)
			for i := range flat {
				flat[i] += float32(0.1 * rng.NormFloat64())
			}
			images, direction := make([]uint8, n*b.Size*b.Size*3), make([]float32, n*test.outputs)
			for i := range images {
				images[i] = uint8(rng.IntN(256))
			}
			for i := range direction {
				direction[i] = float32(rng.NormFloat64())
			}
			p, err := Compile(func(in []*g.Node) []*g.Node {
				w := l.Split(in[0])
				y, back := b.Apply(w, in[1])
				d := NewGradients(w)
				back(d, in[2])
				return []*g.Node{y, d.Flat(0)}
			}, []shapes.Shape{
				shapes.Make(dtypes.Float32, l.total),
				shapes.Make(dtypes.Uint8, n, b.Size, b.Size, 3),
				shapes.Make(dtypes.Float32, n, test.outputs),
			}, 2, inference.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			want, slope := networkstest.Filled(t, make([]float32, len(direction)), n, test.outputs),
				networkstest.Filled(t, make([]float32, l.total), l.total)
			in := []ort.Value{networkstest.Filled(t, flat, l.total),
				networkstest.Filled(t, images, n, b.Size, b.Size, 3),
				networkstest.Filled(t, direction, n, test.outputs)}
			if err := p.Run(in, []ort.Value{want, slope}); err != nil {
				t.Fatal(err)
			}

			var gradients [2][]float32
			for i, threads := range []int{1, 3} {
				net := newCPUNetwork(b, test.outputs, threads)
				out := make([]float32, len(direction))
				half := n / 2 * b.Size * b.Size * 3 // as two views of a batch
				net.load(flat, true)
				net.forward(flat, [][]uint8{images[:half], images[half:]}, out)
				gradients[i] = make([]float32, l.total)
				net.backward(flat, direction, gradients[i])
				networkstest.Near(t, "output", out, want.GetData(), 1e-4)
			}
			if !slices.Equal(gradients[0], gradients[1]) {
				t.Error("one thread and three give different gradients")
			}
			for _, s := range l.slots {
				networkstest.Near(t, s.name, gradients[0][s.offset:s.offset+s.size()],
					slope.GetData()[s.offset:s.offset+s.size()], 1e-4)
			}
		})
	}
}

func BenchmarkCPUNetwork(b *testing.B) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			net := newCPUNetwork(smallBackbone, 7, threads)
			const n = 128
			flat := net.layout.Initial(rand.New(rand.NewPCG(1, 1)))
			images, out, gradient := make([]uint8, n*64*64*3), make([]float32, n*7),
				make([]float32, len(flat))
			for i := range images {
				images[i] = uint8(i * 7919)
			}
			peak := matrixPeak(b, threads)
			for b.Loop() {
				net.load(flat, true)
				net.forward(flat, [][]uint8{images}, out)
				net.backward(flat, out, gradient)
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "images/s")
			rate := 3 * n * flops(net.Isotropic) * float64(b.N) / b.Elapsed().Seconds()
			b.ReportMetric(rate/1e9, "GFLOP/s")
			b.ReportMetric(100*rate/peak, "%peak")
		})
	}
}
