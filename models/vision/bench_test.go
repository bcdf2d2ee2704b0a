package vision

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
	"stripswm/models/strips"
)

// noiseData is a data set of random pixels: fit for timing, not for learning.
func noiseData(tb testing.TB, size, actions, transitions int) *Dataset {
	tb.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	d := NewDataset(size, actions, 2*transitions)
	pix := make([]uint8, size*size*3)
	for i := range transitions {
		for range 2 {
			for j := range pix {
				pix[j] = uint8(rng.IntN(256))
			}
			if _, err := d.AddImage(pix); err != nil {
				tb.Fatal(err)
			}
		}
		if err := d.AddTransition(Transition{Before: 2 * i, After: 2*i + 1, Action: strips.ActionID(1 + i%actions)}); err != nil {
			tb.Fatal(err)
		}
	}
	return d
}

// BenchmarkStep times stage 1 training steps on one and two threads. images/s
// counts the images that are encoded with a backward pass; the share of the peak
// is of a plain matrix product's rate on as many threads, measured in the same run.
func BenchmarkStep(b *testing.B) {
	for _, p := range []Preset{Small(), Medium()} {
		d := noiseData(b, p.ImageSize(), 18, 4*p.Batch)
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", p.Name, threads), func(b *testing.B) {
				peak := matrixPeak(b, threads)
				t, err := newTrainer(d, p, Options{Threads: threads})
				if err != nil {
					b.Fatal(err)
				}
				defer t.close()
				for b.Loop() {
					if err := t.one(); err != nil {
						b.Fatal(err)
					}
					t.step++
				}
				b.ReportMetric(float64(2*p.Batch*b.N)/b.Elapsed().Seconds(), "images/s")
				// Two images forward and backward (twice a forward pass), one by the teacher.
				rate := 7 * float64(p.Batch) * flops(p.Backbone) * float64(b.N) / b.Elapsed().Seconds()
				b.ReportMetric(rate/1e9, "GFLOP/s")
				b.ReportMetric(100*rate/peak, "%peak")
			})
		}
	}
}

// flops is the number of floating-point operations of encoding one image, an
// addition and a multiplication counting as two; elementwise work is left out.
func flops(b Backbone) float64 {
	area := func(side int) int { return side * side }
	ofBlocks := func(blocks []block) (sum int) {
		for _, b := range blocks {
			sum += area(b.side) * (b.dim*b.kernel*b.kernel + 2*b.expand*b.dim*b.dim)
		}
		return sum
	}
	sum := 0
	switch b := b.(type) {
	case ConvNeXt:
		sum = area(b.side(0)) * b.Patch * b.Patch * 3 * b.Dims[0]
		for stage, dim := range b.Dims {
			if stage > 0 {
				sum += area(b.side(stage)) * 4 * b.Dims[stage-1] * dim
			}
			sum += ofBlocks(b.blocks(stage))
		}
	case Isotropic:
		sum = area(b.side())*(b.Patch*b.Patch*3*b.Dim+b.Dim*b.Reduced+b.Reduced*b.Hidden) + ofBlocks(b.blocks())
	}
	return 2 * float64(sum)
}

// matrixPeak is the rate of ONNX Runtime's product of two 1024 x 1024 matrices,
// in floating-point operations a second: the best of a second's tries.
func matrixPeak(b *testing.B, threads int) float64 {
	b.Helper()
	const n = 1024
	square := shapes.Make(dtypes.Float32, n, n)
	p, err := compile(func(in []*g.Node) []*g.Node { return []*g.Node{contractLast(in[0], in[1], 0)} },
		[]shapes.Shape{square, square}, 1, inference.Options{Threads: threads})
	if err != nil {
		b.Fatal(err)
	}
	defer p.close()
	var tensors [3]*ort.Tensor[float32]
	for i := range tensors {
		if tensors[i], err = floats(n, n); err != nil {
			b.Fatal(err)
		}
		defer tensors[i].Destroy()
	}
	best := time.Hour
	for begin := time.Now(); time.Since(begin) < time.Second; {
		start := time.Now()
		if err := p.run([]ort.Value{tensors[0], tensors[1]}, []ort.Value{tensors[2]}); err != nil {
			b.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	return 2 * n * n * n / best.Seconds()
}

// TestFlops holds the count against the literature's.
func TestFlops(t *testing.T) {
	// ConvNeXt-Tiny takes 4.5 billion multiply-adds at 224x224 (Liu et al. 2022, table 1).
	b := Paper().Backbone.(ConvNeXt)
	b.Size = 224
	if got := flops(b) / 2; got < 4.3e9 || got > 4.6e9 {
		t.Errorf("ConvNeXt-Tiny: %.2f billion multiply-adds", got/1e9)
	}
}
