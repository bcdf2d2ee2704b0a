package networks

import "stripswm/models/networks/internal/kernels"

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
