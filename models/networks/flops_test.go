package networks

import (
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
)

// flops is the number of floating-point operations of encoding one image, an
// addition and a multiplication counting as two; elementwise work is left out.
func flops(b Backbone) float64 {
	area := func(side int) int { return side * side }
	ofBlocks := func(blocks []Block) (sum int) {
		for _, b := range blocks {
			sum += area(b.Side) * (b.Dim*b.Kernel*b.Kernel + 2*b.Expand*b.Dim*b.Dim)
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
		sum = area(b.side())*(b.Patch*b.Patch*3*b.Dim+b.Dim*b.Reduced+b.Reduced*b.Hidden) +
			ofBlocks(b.blocks())
	}
	return 2 * float64(sum)
}

// matrixPeak is the rate of ONNX Runtime's product of two 1024 x 1024 matrices,
// in floating-point operations a second: the best of a second's tries.
func matrixPeak(b *testing.B, threads int) float64 {
	b.Helper()
	const n = 1024
	square := shapes.Make(dtypes.Float32, n, n)
	p, err := Compile(func(in []*g.Node) []*g.Node {
		return []*g.Node{contractLast(in[0], in[1],
			0)}
	},
		[]shapes.Shape{square, square}, 1, inference.Options{Threads: threads})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	var tensors [3]*ort.Tensor[float32]
	for i := range tensors {
		if tensors[i], err = Floats(n, n); err != nil {
			b.Fatal(err)
		}
		defer tensors[i].Destroy()
	}
	best := time.Hour
	for begin := time.Now(); time.Since(begin) < time.Second; {
		start := time.Now()
		if err := p.Run([]ort.Value{tensors[0], tensors[1]}, []ort.Value{tensors[2]}); err != nil {
			b.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	return 2 * n * n * n / best.Seconds()
}

// TestFlops holds the count against the literature's.
func TestFlops(t *testing.T) {
	// ConvNeXt-Tiny takes 4.5 billion multiply-adds at 224x224 (Liu et al. 2022, table 1).
	b := ConvNeXt{Size: 224, Patch: 4, Kernel: 7, Expand: 4, Dims: []int{96, 192, 384, 768},
		Depths: []int{3, 3, 9, 3}}
	if got := flops(b) / 2; got < 4.3e9 || got > 4.6e9 {
		t.Errorf("ConvNeXt-Tiny: %.2f billion multiply-adds", got/1e9)
	}
}
