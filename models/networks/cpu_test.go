package networks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

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
			p := passesOf(t, b, n, test.outputs, 0.1)
			p.run()
			flat := p.weights.GetData()
			var gradients [2][]float32
			for i, threads := range []int{1, 3} {
				net := newCPUNetwork(b, test.outputs, threads)
				out := make([]float32, len(p.direction))
				half := n / 2 * b.Size * b.Size * 3 // as two views of a batch
				net.load(flat, true)
				net.forward(flat, [][]uint8{p.images[:half], p.images[half:]}, out)
				gradients[i] = make([]float32, p.total)
				net.backward(flat, p.direction, gradients[i])
				networkstest.Near(t, "output", out, p.output.GetData(), 1e-4)
			}
			if !slices.Equal(gradients[0], gradients[1]) {
				t.Error("one thread and three give different gradients")
			}
			for _, s := range p.slots {
				networkstest.Near(t, s.name, gradients[0][s.offset:s.offset+s.size()],
					p.gradient.GetData()[s.offset:s.offset+s.size()], 1e-4)
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
