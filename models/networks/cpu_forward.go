package networks

import "stripswm/models/networks/internal/kernels"

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
	panic("vision: no such input")
}

// cut makes rows of a group's patches, normalised (patches and stem do so in the graph).
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
