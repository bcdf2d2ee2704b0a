package vision

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
)

// TestCPUNetworkIsTheGraph holds the network on our own kernels against the same network
// built by GoMLX and run by ONNX Runtime: outputs and every weight's gradient.
func TestCPUNetworkIsTheGraph(t *testing.T) {
	small := Small().Backbone.(Isotropic)
	fine := small
	fine.Size, fine.Patch = 60, 5
	for _, test := range []struct {
		net     Isotropic
		images  int
		outputs int
	}{
		{tinyBackbones["isotropic"].(Isotropic), 2, 3},
		{small, cpuGroup + 3, 5},
		{small, 1, 40},
		{fine, 3, 7},
	} {
		t.Run(fmt.Sprintf("%+v, %d images", test.net, test.images), func(t *testing.T) {
			b, n := test.net, test.images
			l := &layout{}
			b.declare(l, test.outputs)
			rng := rand.New(rand.NewPCG(8, 8))
			flat := l.initial(rng)
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
			p, err := compile(func(in []*g.Node) []*g.Node {
				w := l.split(in[0])
				y, back := b.apply(w, in[1])
				d := newGradients(w)
				back(d, in[2])
				return []*g.Node{y, d.flat(0)}
			}, []shapes.Shape{
				shapes.Make(dtypes.Float32, l.total), shapes.Make(dtypes.Uint8, n, b.Size, b.Size, 3), shapes.Make(dtypes.Float32, n, test.outputs),
			}, 2, inference.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer p.close()
			want, slope := filled(t, make([]float32, len(direction)), n, test.outputs), filled(t, make([]float32, l.total), l.total)
			in := []ort.Value{filled(t, flat, l.total), filled(t, images, n, b.Size, b.Size, 3), filled(t, direction, n, test.outputs)}
			if err := p.run(in, []ort.Value{want, slope}); err != nil {
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
				near(t, "output", out, want.GetData(), 1e-4)
			}
			if !slices.Equal(gradients[0], gradients[1]) {
				t.Error("one thread and three give different gradients")
			}
			for _, s := range l.slots {
				near(t, s.name, gradients[0][s.offset:s.offset+s.size()], slope.GetData()[s.offset:s.offset+s.size()], 1e-4)
			}
		})
	}
}

// TestEnginesAgree trains both stages for some steps on our kernels and as one graph.
func TestEnginesAgree(t *testing.T) {
	p := Medium()
	p.Batch, p.Classifier.Batch = 8, 4
	d := noiseData(t, p.ImageSize(), 5, 12)
	model, classifier := p.worldModel(d.Actions), Classifier{p.Backbone, 9, p.Classifier}
	batch, err := newBatch(model, p.Batch)
	if err != nil {
		t.Fatal(err)
	}
	defer batch.free()
	tr := &trainer{model: model, data: d, preset: p, sampler: newPairs(len(d.Transitions), p.Batch, 1)}
	targets := filled(t, make([]float32, 8*9), 8, 9)
	for i := range targets.GetData() {
		targets.GetData()[i] = float32(i % 3 % 2)
	}
	for name, test := range map[string]struct {
		task
		shares []float32
		input  func() inputTensors
	}{
		"stage 1": {model.task(p.Batch), model.Objective.shares(1000, 0), batch.tensors},
		"stage 3": {classifier.task(), nil, func() inputTensors { return inputTensors{batch.images[:1], []ort.Value{targets}} }},
	} {
		t.Run(name, func(t *testing.T) {
			ours, err := newEngine(test.task, 1, 2, Options{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			defer ours.close()
			graph, err := newGraphEngine(test.task, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer graph.close()
			for i, part := range ours.state() {
				copy(graph.state()[i], part)
			}
			for step := range 4 {
				tr.fill(step, batch)
				rates := test.Optimizer.rates(step + 100)
				all := append(rates[:], test.shares...)
				got, err := ours.step(all, test.input())
				if err != nil {
					t.Fatal(err)
				}
				want, err := graph.step(all, test.input())
				if err != nil {
					t.Fatal(err)
				}
				near(t, fmt.Sprintf("step %d, metrics", step), got, want, 1e-4)
				for i, part := range ours.state() {
					near(t, fmt.Sprintf("step %d, state %d", step, i), part, graph.state()[i], 1e-3)
				}
			}
		})
	}
}

// near compares numbers, relative to the largest.
func near(t *testing.T, what string, got, want []float32, tolerance float64) {
	t.Helper()
	worst, scale := 0.0, 1e-3
	for i := range want {
		worst = max(worst, math.Abs(float64(got[i])-float64(want[i])))
		scale = max(scale, math.Abs(float64(want[i])))
	}
	if !(worst <= tolerance*scale) {
		t.Errorf("%s: off by %.2g of %.2g", what, worst, scale)
	}
}

func BenchmarkCPUNetwork(b *testing.B) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			net := newCPUNetwork(Medium().Backbone.(Isotropic), 7, threads)
			const n = 128
			flat := net.layout.initial(rand.New(rand.NewPCG(1, 1)))
			images, out, gradient := make([]uint8, n*64*64*3), make([]float32, n*7), make([]float32, len(flat))
			for i := range images {
				images[i] = uint8(i * 7919)
			}
			for b.Loop() {
				net.load(flat, true)
				net.forward(flat, [][]uint8{images}, out)
				net.backward(flat, out, gradient)
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "images/s")
			b.ReportMetric(3*n*flops(net.Isotropic)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}
