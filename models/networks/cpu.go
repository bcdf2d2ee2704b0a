package networks

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
	"stripswm/models/networks/internal/kernels"
)

// cpuNetwork is an Isotropic backbone on the processor, by our own kernels: the function and the
// gradients of Isotropic.Apply (TestCPUNetworkIsTheGraph), at twice the speed of ONNX Runtime, and
// more on several threads. A few images at a time go through all layers, so that a layer finds in
// the cache what the one before wrote.
//
// Its weights come first in the flat vectors that it is given. What it computes does not depend on
// the number of threads: gradients are summed by groups of images, in their order.
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

// load packs the weights for the passes that follow; those that only a backward pass reads, if one
// is to come.
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

// cpuRows is the number of rows that go through a block's dense layers together: their
// wide activations fit a second-level cache.
const cpuRows = 128

// forward encodes images, each of size*size*3 bytes, to out [images, outputs]; weights are flat,
// and have been loaded. A backward pass reads inputs again.
func (n *cpuNetwork) forward(weights []float32, inputs [][]uint8, out []float32) {
	n.images = inputs
	images := len(out) / n.outputs
	groups := (images + cpuGroup - 1) / cpuGroup
	for len(n.tapes) < groups {
		n.tapes = append(n.tapes, &cpuTape{blocks: make([]blockTape, n.Depth)})
	}
	n.each(groups, func(w *cpuWorker, g int) {
		t := n.tapes[g]
		t.first, t.images = g*cpuGroup, min(cpuGroup, images-g*cpuGroup)
		n.forwardGroup(w, t, weights, out[t.first*n.outputs:(t.first+t.images)*n.outputs])
	})
}

// image is one of the images of the last forward pass.
func (n *cpuNetwork) image(i int) []uint8 {
	bytes := n.Size * n.Size * 3
	for _, p := range n.images {
		if count := len(p) / bytes; i >= count {
			i -= count
			continue
		}
		return p[i*bytes : (i+1)*bytes]
	}
	panic("networks: no such image")
}

// cut makes rows of a group's patches, normalised, as Patches and stem do in the graph.
func (n *cpuNetwork) cut(w *cpuWorker, t *cpuTape) []float32 {
	image := n.tokens() * n.Patch * n.Patch * 3
	w.patches = grow(w.patches, t.images*image)
	for i := range t.images {
		kernels.Cut(w.patches[i*image:(i+1)*image], n.image(t.first+i), n.Size, n.Patch, PixelMean,
			1/PixelStd)
	}
	return w.patches
}

func (n *cpuNetwork) forwardGroup(w *cpuWorker, t *cpuTape, weights, out []float32) {
	rows := t.images * n.tokens()
	bias := func(name string) []float32 { return n.of(weights, name+"/b") }
	w.narrow[0] = grow(w.narrow[0], rows*n.Dim)
	x := w.narrow[0]
	kernels.Multiply(x, kernels.Rows(n.cut(w, t), n.Patch*n.Patch*3), n.forwards["stem"],
		bias("stem"))
	t.stem.of(x, rows)
	copy(x, t.stem.y)
	for i, b := range n.blocks() {
		n.forwardBlock(w, i, b, &t.blocks[i], x, weights)
	}
	t.last.of(x, rows)
	t.reduced, t.hidden = grow(t.reduced, rows*n.Reduced), grow(t.hidden, t.images*n.Hidden)
	kernels.Multiply(t.reduced, kernels.Rows(t.last.y, n.Dim), n.forwards["reduce"], bias("reduce"))
	flat := kernels.Rows(t.reduced, n.tokens()*n.Reduced)
	if n.Hidden > 0 {
		kernels.Multiply(t.hidden, flat, n.forwards["hidden"], bias("hidden"))
		w.small = grow(w.small, len(t.hidden))
		kernels.GELU(w.small, t.hidden)
		flat = kernels.Rows(w.small, n.Hidden)
	}
	kernels.Multiply(out, flat, n.forwards["head"], bias("head"))
}

// of normalises x, in rows.
func (t *normed) of(x []float32, rows int) {
	t.y, t.scale = grow(t.y, len(x)), grow(t.scale, rows)
	kernels.Norm(t.y, t.scale, x, normEpsilon)
}

// forwardBlock adds a block to x.
func (n *cpuNetwork) forwardBlock(w *cpuWorker, i int, b Block, t *blockTape, x,
	weights []float32) {
	t.in = append(t.in[:0], x...)
	w.narrow[1] = grow(w.narrow[1], len(x))
	mixed, image := w.narrow[1], n.tokens()*b.Dim
	for at := 0; at < len(x); at += image {
		w.grid.Convolve(mixed[at:at+image], x[at:at+image], n.taps[i],
			n.of(weights, b.Name+"/mix/b"))
	}
	rows, wide := len(x)/b.Dim, b.Expand*b.Dim
	t.mix.of(mixed, rows)
	t.up = grow(t.up, rows*wide)
	w.wide[0] = grow(w.wide[0], cpuRows*wide)
	for from := 0; from < rows; from += cpuRows {
		to := min(from+cpuRows, rows)
		up, active, part := t.up[from*wide:to*wide], w.wide[0][:(to-from)*wide],
			x[from*b.Dim:to*b.Dim]
		kernels.Multiply(up, kernels.Rows(t.mix.y[from*b.Dim:to*b.Dim], b.Dim),
			n.forwards[b.Name+"/up"], n.of(weights, b.Name+"/up/b"))
		kernels.GELU(active, up)
		kernels.MultiplyAdd(part, kernels.Rows(active, wide), n.forwards[b.Name+"/down"])
		kernels.AddToRows(part, n.of(weights, b.Name+"/down/b"))
	}
}

// backward adds to gradient, which is flat, the derivative by the weights, given that by
// the output of the last forward pass [images, outputs].
func (n *cpuNetwork) backward(weights, dOut, gradient []float32) {
	total, groups := n.layout.total, (len(dOut)/n.outputs+cpuGroup-1)/cpuGroup
	n.gradients = grow(n.gradients, groups*total)
	n.each(groups, func(w *cpuWorker, g int) {
		t, own := n.tapes[g], n.gradients[g*total:(g+1)*total]
		clear(own)
		n.backwardGroup(w, t, weights, dOut[t.first*n.outputs:(t.first+t.images)*n.outputs], own)
	})
	kernels.AddRows(gradient[:total], n.gradients)
}

// denseBack adds a dense layer's derivatives by its weights, given those by its output dy
// and its input x in rows, and returns that by its input in dx, unless that is nil.
func (n *cpuNetwork) denseBack(w *cpuWorker, name string, gradient, x, dy, dx []float32) {
	bias := n.of(gradient, name+"/b")
	out := len(bias)
	w.packed.Pack(kernels.Rows(dy, out))
	kernels.MultiplyAdd(n.of(gradient, name+"/w"), kernels.Rows(x, len(x)/(len(dy)/out)).T(),
		&w.packed)
	kernels.AddRows(bias, dy)
	if dx != nil {
		kernels.Multiply(dx, kernels.Rows(dy, out), n.backwards[name], nil)
	}
}

func (n *cpuNetwork) backwardGroup(w *cpuWorker, t *cpuTape, weights, dOut, gradient []float32) {
	rows := t.images * n.tokens()
	w.narrow[0], w.narrow[1] = grow(w.narrow[0], rows*n.Dim), grow(w.narrow[1], rows*n.Dim)
	d := w.narrow[0]

	w.wide[1] = grow(w.wide[1], len(t.reduced))
	dReduced := w.wide[1]
	if n.Hidden > 0 {
		w.small, w.wide[0] = grow(w.small, len(t.hidden)), grow(w.wide[0], len(t.hidden))
		dHidden, active := w.small, w.wide[0]
		kernels.Multiply(dHidden, kernels.Rows(dOut, n.outputs), n.backwards["head"], nil)
		kernels.GELUBack(dHidden, active, t.hidden)
		n.denseBack(w, "head", gradient, active, dOut, nil)
		n.denseBack(w, "hidden", gradient, t.reduced, dHidden, dReduced)
	} else {
		n.denseBack(w, "head", gradient, t.reduced, dOut, dReduced)
	}
	n.denseBack(w, "reduce", gradient, t.last.y, dReduced, d)
	kernels.NormBack(d, t.last.y, t.last.scale)
	blocks := n.blocks()
	for i := len(blocks) - 1; i >= 0; i-- {
		n.backwardBlock(w, i, blocks[i], &t.blocks[i], d, weights, gradient)
	}
	kernels.NormBack(d, t.stem.y, t.stem.scale)
	n.denseBack(w, "stem", gradient, n.cut(w, t), d, nil)
}

// backwardBlock turns d, the derivative by a block's output, into that by its input.
func (n *cpuNetwork) backwardBlock(w *cpuWorker, i int, b Block, t *blockTape, d, weights,
	gradient []float32) {
	rows, wide := len(d)/b.Dim, b.Expand*b.Dim
	for k := range w.wide {
		w.wide[k] = grow(w.wide[k], cpuRows*wide)
	}
	mixed := w.narrow[1]
	for from := 0; from < rows; from += cpuRows {
		to := min(from+cpuRows, rows)
		dy, dMixed := d[from*b.Dim:to*b.Dim], mixed[from*b.Dim:to*b.Dim]
		dUp, active := w.wide[0][:(to-from)*wide], w.wide[1][:(to-from)*wide]
		kernels.Multiply(dUp, kernels.Rows(dy, b.Dim), n.backwards[b.Name+"/down"], nil)
		kernels.GELUBack(dUp, active, t.up[from*wide:to*wide])
		n.denseBack(w, b.Name+"/down", gradient, active, dy, nil)
		n.denseBack(w, b.Name+"/up", gradient, t.mix.y[from*b.Dim:to*b.Dim], dUp, dMixed)
	}
	kernels.NormBack(mixed, t.mix.y, t.mix.scale)
	kernels.AddRows(n.of(gradient, b.Name+"/mix/b"), mixed)
	clear(w.taps)
	image := n.tokens() * b.Dim
	for at := 0; at < len(d); at += image {
		w.grid.AddTaps(w.taps, t.in[at:at+image], mixed[at:at+image])
		w.grid.ConvolveAdd(d[at:at+image], mixed[at:at+image], n.flipped[i])
	}
	dKernel, size := n.of(gradient, b.Name+"/mix/k"), b.Kernel*b.Kernel
	for c := range b.Dim {
		for tap := range size {
			dKernel[c*size+tap] += w.taps[tap*b.Dim+c]
		}
	}
}

// cpuEngine trains on the processor. The backbone is a cpuNetwork; the loss and its heads, a
// hundredth of the work, are a graph of GoMLX that ONNX Runtime runs.
type cpuEngine struct {
	Task
	student, teacher        *cpuNetwork
	loss                    *program
	all                     State
	mask, gradient          []float32
	weights                 *ort.Tensor[float32]
	outputs, teacherOutputs *ort.Tensor[float32]
	shares                  *ort.Tensor[float32]
	dOut, dHeads            *ort.Tensor[float32]
	measured                *ort.Tensor[float32]
}

func newCPUEngine(t Task, net Isotropic, o inference.Options) (e *cpuEngine, err error) {
	e = &cpuEngine{Task: t, student: newCPUNetwork(net, t.Outputs, o.Threads),
		mask: t.Layout.decayMask(), gradient: make([]float32, t.Layout.total)}
	defer func() {
		if err != nil {
			e.Close()
		}
	}()
	if t.Teacher {
		e.teacher = newCPUNetwork(net, t.Outputs, o.Threads)
	}
	own, heads := e.student.layout.total, t.Layout.total-e.student.layout.total
	in := []shapes.Shape{flat(t.Layout.total),
		shapes.Make(dtypes.Float32, t.Views*t.Batch, t.Outputs),
		shapes.Make(dtypes.Float32, t.Batch, t.Outputs), flat(max(t.Rates-3, 1))}
	e.loss, err = Compile(func(in []*g.Node) []*g.Node {
		d := NewGradients(t.Layout.Split(in[0]))
		dh, metrics := t.Loss(d, in[1], in[2], in[3], in[4:])
		return []*g.Node{dh, d.Flat(own), joined(metrics)}
	}, append(in, t.Extra...), 3, inference.Options{Threads: max(t.LossThreads, 1)})
	if err != nil {
		return e, err
	}
	for _, f := range []struct {
		tensor **ort.Tensor[float32]
		dims   []int
	}{
		{&e.weights, in[0].Dimensions}, {&e.outputs, in[1].Dimensions},
		{&e.teacherOutputs, in[2].Dimensions}, {&e.shares, in[3].Dimensions},
		{&e.dOut, in[1].Dimensions}, {&e.dHeads, []int{max(heads, 1)}},
		{&e.measured, []int{len(t.Metrics)}},
	} {
		if *f.tensor, err = Floats(f.dims...); err != nil {
			return e, err
		}
	}
	e.all = State{e.weights.GetData()}
	for range t.parts() - 1 {
		e.all = append(e.all, make([]float32, t.Layout.total))
	}
	return e, nil
}

func (e *cpuEngine) State() State { return e.all }

func (e *cpuEngine) Step(rates []float32, b Inputs) ([]float32, error) {
	images := make([][]uint8, len(b.Images))
	for i, p := range b.Images {
		images[i] = p.GetData()
	}
	weights, own := e.all.Weights(), e.student.layout.total
	e.student.load(weights, true)
	e.student.forward(weights, images, e.outputs.GetData())
	teacher := e.all.Teacher()
	if teacher != nil {
		e.teacher.load(teacher, false)
		e.teacher.forward(teacher, images[1:2], e.teacherOutputs.GetData())
	}
	copy(e.shares.GetData(), rates[3:])
	in := append([]ort.Value{e.weights, e.outputs, e.teacherOutputs, e.shares}, b.Extra...)
	if err := e.loss.Run(in, []ort.Value{e.dOut, e.dHeads, e.measured}); err != nil {
		return nil, err
	}
	clear(e.gradient[:own])
	copy(e.gradient[own:], e.dHeads.GetData())
	e.student.backward(weights, e.dOut.GetData(), e.gradient)
	kernels.Adam{
		Rate: rates[0], Correction1: rates[1], Correction2: rates[2], Beta1: float32(e.Beta1),
		Beta2:   float32(e.Beta2),
		Epsilon: adamEpsilon, Decay: float32(e.WeightDecay), EMA: float32(e.EMA),
	}.Step(weights, e.all[stateFirstMoment], e.all[stateSecondMoment], teacher, e.gradient,
		e.mask)
	return e.measured.GetData(), nil
}

func (e *cpuEngine) Close() {
	if e.loss != nil {
		e.loss.Close()
	}
	for _, tensor := range []*ort.Tensor[float32]{e.weights, e.outputs, e.teacherOutputs, e.shares,
		e.dOut, e.dHeads, e.measured} {
		if tensor != nil {
			tensor.Destroy()
		}
	}
}

// evaluationBatch is the number of images encoded at once.
const evaluationBatch = 128

// cpuEncoder encodes on the processor.
type cpuEncoder struct{ net *cpuNetwork }

func (e *cpuEncoder) Encode(ctx context.Context, weights []float32, images []uint8) ([]float32,
	error) {
	bytes := e.net.Size * e.net.Size * 3
	n := len(images) / bytes
	e.net.load(weights, false)
	out := make([]float32, n*e.net.outputs)
	for from := 0; from < n; from += evaluationBatch {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+evaluationBatch, n)
		images := [][]uint8{images[from*bytes : to*bytes]}
		e.net.forward(weights, images, out[from*e.net.outputs:to*e.net.outputs])
	}
	return out, nil
}

func (e *cpuEncoder) Close() {}
