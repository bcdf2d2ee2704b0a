package networks

import (
	"sync"
	"sync/atomic"

	"stripswm/models/networks/internal/kernels"
)

// cpuNetwork is an Isotropic backbone on the processor, by our own kernels: the function
// and the gradients of Isotropic.apply (TestCPUNetworkIsTheGraph), at twice the speed of
// ONNX Runtime and more on several threads. A few images at a time go through all layers, so
// that what one layer writes the next finds in the cache.
//
// Its weights come first in the flat vectors that it is given. What it computes does not
// depend on the number of threads: gradients are summed by groups of images, in their order.
type cpuNetwork struct {
	Isotropic
	outputs int
	layout  *Layout // of its own weights
	workers []*cpuWorker

	// weights of dense layers, as they are and transposed
	forwards, backwards map[string]*kernels.Packed
	// of the depthwise kernels, by block: [kernel*kernel, dim]
	taps, flipped [][]float32
	images        [][]uint8  // of the last forward pass
	tapes         []*cpuTape // of its groups
	gradients     []float32  // by group [groups, layout.total]
}

// cpuGroup is the number of images that go through the network together.
const cpuGroup = 16

// cpuTape is what the backward pass of a group needs of the forward pass.
type cpuTape struct {
	first, images int
	stem          normed
	blocks        []blockTape
	last          normed
	reduced       []float32 // [images, tokens*reduced]
	hidden        []float32 // [images, hidden], before GELU
}

// normed is a layer norm's output [rows, dim] and what each row was multiplied with.
type normed struct{ y, scale []float32 }

type blockTape struct {
	in  []float32 // [rows, dim]
	mix normed    // of the depthwise convolution's output
	up  []float32 // [rows, expand*dim], before GELU
}

// cpuWorker is a goroutine's memory.
type cpuWorker struct {
	patches []float32 // [rows, patch*patch*3]
	wide    [2][]float32
	narrow  [2][]float32 // [rows, dim]
	small   []float32
	taps    []float32
	packed  kernels.Packed
	grid    *kernels.Map
}

func newCPUNetwork(b Isotropic, outputs, threads int) *cpuNetwork {
	n := &cpuNetwork{Isotropic: b, outputs: outputs, layout: &Layout{},
		forwards: map[string]*kernels.Packed{}, backwards: map[string]*kernels.Packed{}}
	b.Declare(n.layout, outputs)
	for range max(threads, 1) {
		n.workers = append(n.workers,
			&cpuWorker{grid: kernels.NewMap(b.side(), b.Dim, b.Kernel),
				taps: make([]float32, b.Kernel*b.Kernel*b.Dim)})
	}
	for range b.Depth {
		n.taps, n.flipped = append(n.taps, nil), append(n.flipped, nil)
	}
	return n
}

func (n *cpuNetwork) tokens() int { return n.side() * n.side() }

// of is the weights of that name in a flat vector.
func (n *cpuNetwork) of(flat []float32, name string) []float32 { return n.layout.Of(flat, name) }

// dense lists the dense layers.
func (n *cpuNetwork) dense() []string {
	names := []string{"stem", "reduce", "head"}
	if n.Hidden > 0 {
		names = append(names, "hidden")
	}
	for _, b := range n.blocks() {
		names = append(names, b.Name+"/up", b.Name+"/down")
	}
	return names
}

// load makes the weights ready for the passes that follow, for backward ones too where
// these are to come.
func (n *cpuNetwork) load(flat []float32, backward bool) {
	for _, name := range n.dense() {
		bias := n.of(flat, name+"/b")
		w := kernels.Rows(n.of(flat, name+"/w"), len(bias))
		pack(n.forwards, name, w)
		if backward && name != "stem" {
			pack(n.backwards, name, w.T())
		}
	}
	for i, b := range n.blocks() {
		k, size := n.of(flat, b.Name+"/mix/k"), b.Kernel*b.Kernel
		n.taps[i], n.flipped[i] = grow(n.taps[i], len(k)), grow(n.flipped[i], len(k))
		for c := range b.Dim {
			for tap := range size {
				n.taps[i][tap*b.Dim+c] = k[c*size+tap]
				n.flipped[i][(size-1-tap)*b.Dim+c] = k[c*size+tap]
			}
		}
	}
}

func pack(all map[string]*kernels.Packed, name string, m kernels.Matrix) {
	if all[name] == nil {
		all[name] = &kernels.Packed{}
	}
	all[name].Pack(m)
}

// each runs a function for 0 to count-1 on the workers.
func (n *cpuNetwork) each(count int, do func(w *cpuWorker, i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for _, w := range n.workers[:min(len(n.workers), count)] {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < count; i = int(next.Add(1)) - 1 {
				do(w, i)
			}
		})
	}
	all.Wait()
}

// grow returns memory for n numbers, that of x where it suffices.
func grow(x []float32, n int) []float32 {
	if cap(x) < n {
		return make([]float32, n)
	}
	return x[:n]
}
