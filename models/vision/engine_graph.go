package vision

import (
	"context"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"
)

// graphEngine trains with one graph a step, from images to new weights, on any device
// that ONNX Runtime knows.
type graphEngine struct {
	task
	program      *program
	old, updated []*ort.Tensor[float32] // state, before and after a step
	mask         *ort.Tensor[float32]
	weighed      *ort.Tensor[float32] // rates
	measured     *ort.Tensor[float32]
}

func newGraphEngine(t task, o Options) (e *graphEngine, err error) {
	e = &graphEngine{task: t}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	if e.program, err = compile(e.graph, e.shapes(), t.parts()+1, o.session()); err != nil {
		return e, err
	}
	for range t.parts() {
		for _, side := range []*[]*ort.Tensor[float32]{&e.old, &e.updated} {
			tensor, err := floats(t.layout.total)
			if err != nil {
				return e, err
			}
			*side = append(*side, tensor)
		}
	}
	for _, f := range []struct {
		tensor **ort.Tensor[float32]
		n      int
	}{{&e.mask, t.layout.total}, {&e.weighed, t.rates}, {&e.measured, t.metrics}} {
		if *f.tensor, err = floats(f.n); err != nil {
			return e, err
		}
	}
	copy(e.mask.GetData(), t.layout.decayMask())
	return e, nil
}

// shapes are graph's inputs.
func (e *graphEngine) shapes() []shapes.Shape {
	var in []shapes.Shape
	for range e.parts() + 1 { // and the mask
		in = append(in, flat(e.layout.total))
	}
	in = append(append(in, flat(e.task.rates)), e.rest...)
	for range e.views {
		in = append(in, shapes.Make(dtypes.Uint8, e.batch, e.backbone.size(), e.backbone.size(), 3))
	}
	return in
}

// graph is one step: state, mask, rates, the rest and the images in, new state and
// metrics out.
func (e *graphEngine) graph(in []*g.Node) []*g.Node {
	old := state[*g.Node]{in[0], in[1], in[2]}
	next := 3
	take := func() *g.Node { next++; return in[next-1] }
	var teacher, taught *g.Node
	if e.task.teacher {
		teacher = take()
	}
	mask, rates := take(), take()
	rest, images := in[next:next+len(e.rest)], in[next+len(e.rest):]
	w := e.layout.split(old.weights)
	h, back := e.backbone.apply(w, g.Concatenate(images, 0))
	if e.task.teacher {
		taught, _ = e.backbone.apply(e.layout.split(teacher), images[1])
	}
	var shares *g.Node
	if e.task.rates > 3 {
		shares = g.Slice(rates, g.AxisRange(3))
	}
	d := newGradients(w)
	dh, metrics := e.judge(d, h, taught, shares, rest)
	back(d, dh)
	updated := e.update(old, d.flat(0), mask, rates)
	out := []*g.Node{updated.weights, updated.first, updated.second}
	if e.task.teacher {
		out = append(out, mix(teacher, updated.weights, e.ema))
	}
	return append(out, joined(metrics))
}

// joined are scalars as one vector.
func joined(scalars []*g.Node) *g.Node {
	parts := make([]*g.Node, len(scalars))
	for i, s := range scalars {
		parts[i] = g.Reshape(s, 1)
	}
	return g.Concatenate(parts, 0)
}

func (e *graphEngine) state() [][]float32 {
	var all [][]float32
	for _, tensor := range e.old {
		all = append(all, tensor.GetData())
	}
	return all
}

func (e *graphEngine) step(rates []float32, b inputTensors) ([]float32, error) {
	copy(e.weighed.GetData(), rates)
	var in, out []ort.Value
	for i := range e.old {
		in, out = append(in, e.old[i]), append(out, e.updated[i])
	}
	in = append(append(in, e.mask, e.weighed), b.rest...)
	for _, p := range b.images {
		in = append(in, p)
	}
	if err := e.program.run(in, append(out, e.measured)); err != nil {
		return nil, err
	}
	e.old, e.updated = e.updated, e.old
	return e.measured.GetData(), nil
}

func (e *graphEngine) close() {
	if e.program != nil {
		e.program.close()
	}
	for _, tensor := range append(append([]*ort.Tensor[float32]{e.mask, e.weighed, e.measured}, e.old...), e.updated...) {
		if tensor != nil {
			tensor.Destroy()
		}
	}
}

// graphEncoder encodes with a graph (weights, images) -> [batch, outputs].
type graphEncoder struct {
	program *program
	outputs int
	weights *ort.Tensor[float32]
	images  *ort.Tensor[uint8]
	out     *ort.Tensor[float32]
}

func newGraphEncoder(b Backbone, l *layout, outputs int, o Options) (e *graphEncoder, err error) {
	e = &graphEncoder{outputs: outputs}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	images := []int{evaluationBatch, b.size(), b.size(), 3}
	e.program, err = compile(func(in []*g.Node) []*g.Node {
		h, _ := b.apply(l.split(in[0]), in[1])
		return []*g.Node{h}
	}, []shapes.Shape{flat(l.total), shapes.Make(dtypes.Uint8, images...)}, 1, o.session())
	if err != nil {
		return e, err
	}
	if e.images, err = newTensor[uint8](images); err != nil {
		return e, err
	}
	if e.weights, err = floats(l.total); err != nil {
		return e, err
	}
	e.out, err = floats(evaluationBatch, outputs)
	return e, err
}

func (e *graphEncoder) encode(ctx context.Context, weights []float32, d *Dataset, n int) ([]float32, error) {
	copy(e.weights.GetData(), weights)
	all := make([]float32, 0, (n+evaluationBatch)*e.outputs)
	for from := 0; from < n; from += evaluationBatch {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+evaluationBatch, n)
		copy(e.images.GetData(), d.pixels[from*d.imageBytes():to*d.imageBytes()])
		if err := e.program.run([]ort.Value{e.weights, e.images}, []ort.Value{e.out}); err != nil {
			return nil, err
		}
		all = append(all, e.out.GetData()...)
	}
	return all[:n*e.outputs], nil
}

func (e *graphEncoder) close() {
	if e.program != nil {
		e.program.close()
	}
	for _, tensor := range []*ort.Tensor[float32]{e.weights, e.out} {
		if tensor != nil {
			tensor.Destroy()
		}
	}
	if e.images != nil {
		e.images.Destroy()
	}
}
