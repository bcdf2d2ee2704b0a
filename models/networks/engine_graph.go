package networks

import (
	"context"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
)

// graphEngine trains with one graph a step, from images to new weights, on any device
// that ONNX Runtime knows.
type graphEngine struct {
	Task
	program      *program
	old, updated []*ort.Tensor[float32] // state, before and after a step
	mask         *ort.Tensor[float32]
	rates        *ort.Tensor[float32] // rates
	measured     *ort.Tensor[float32]
}

func newGraphEngine(t Task, o inference.Options) (e *graphEngine, err error) {
	e = &graphEngine{Task: t}
	defer func() {
		if err != nil {
			e.Close()
		}
	}()
	if e.program, err = Compile(e.graph, e.shapes(), t.parts()+1, o); err != nil {
		return e, err
	}
	for range t.parts() {
		for _, side := range []*[]*ort.Tensor[float32]{&e.old, &e.updated} {
			tensor, err := Floats(t.Layout.total)
			if err != nil {
				return e, err
			}
			*side = append(*side, tensor)
		}
	}
	for _, f := range []struct {
		tensor **ort.Tensor[float32]
		n      int
	}{{&e.mask, t.Layout.total}, {&e.rates, t.Rates}, {&e.measured, len(t.Metrics)}} {
		if *f.tensor, err = Floats(f.n); err != nil {
			return e, err
		}
	}
	copy(e.mask.GetData(), t.Layout.decayMask())
	return e, nil
}

// shapes are graph's inputs.
func (e *graphEngine) shapes() []shapes.Shape {
	var in []shapes.Shape
	for range e.parts() + 1 { // and the mask
		in = append(in, flat(e.Layout.total))
	}
	in = append(append(in, flat(e.Task.Rates)), e.Extra...)
	for range e.Views {
		in = append(in, shapes.Make(dtypes.Uint8, e.Batch, e.Backbone.ImageSize(),
			e.Backbone.ImageSize(), 3))
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
	if e.Task.Teacher {
		teacher = take()
	}
	mask, rates := take(), take()
	rest, images := in[next:next+len(e.Extra)], in[next+len(e.Extra):]
	w := e.Layout.Split(old.weights)
	h, back := e.Backbone.Apply(w, g.Concatenate(images, 0))
	if e.Task.Teacher {
		taught, _ = e.Backbone.Apply(e.Layout.Split(teacher), images[1])
	}
	var shares *g.Node
	if e.Task.Rates > 3 {
		shares = g.Slice(rates, g.AxisRange(3))
	}
	d := NewGradients(w)
	dh, metrics := e.Loss(d, h, taught, shares, rest)
	back(d, dh)
	updated := e.update(old, d.Flat(0), mask, rates)
	out := []*g.Node{updated.weights, updated.first, updated.second}
	if e.Task.Teacher {
		out = append(out, mix(teacher, updated.weights, e.EMA))
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

func (e *graphEngine) State() State {
	var all State
	for _, tensor := range e.old {
		all = append(all, tensor.GetData())
	}
	return all
}

func (e *graphEngine) Step(rates []float32, b Inputs) ([]float32, error) {
	copy(e.rates.GetData(), rates)
	var in, out []ort.Value
	for i := range e.old {
		in, out = append(in, e.old[i]), append(out, e.updated[i])
	}
	in = append(append(in, e.mask, e.rates), b.Extra...)
	for _, p := range b.Images {
		in = append(in, p)
	}
	if err := e.program.Run(in, append(out, e.measured)); err != nil {
		return nil, err
	}
	e.old, e.updated = e.updated, e.old
	return e.measured.GetData(), nil
}

func (e *graphEngine) Close() {
	if e.program != nil {
		e.program.Close()
	}
	for _, tensor := range append(append([]*ort.Tensor[float32]{e.mask, e.rates, e.measured},
		e.old...), e.updated...) {
		if tensor != nil {
			tensor.Destroy()
		}
	}
}

// graphEncoder encodes with a graph (weights, images) -> [batch, outputs].
type graphEncoder struct {
	program *program
	size    int // of the images, pixels a side
	outputs int
	weights *ort.Tensor[float32]
	images  *ort.Tensor[uint8]
	out     *ort.Tensor[float32]
}

func newGraphEncoder(b Backbone, l *Layout, outputs int, o inference.Options) (e *graphEncoder,
	err error) {
	e = &graphEncoder{size: b.ImageSize(), outputs: outputs}
	defer func() {
		if err != nil {
			e.Close()
		}
	}()
	images := []int{evaluationBatch, b.ImageSize(), b.ImageSize(), 3}
	e.program, err = Compile(func(in []*g.Node) []*g.Node {
		h, _ := b.Apply(l.Split(in[0]), in[1])
		return []*g.Node{h}
	}, []shapes.Shape{flat(l.total), shapes.Make(dtypes.Uint8, images...)}, 1, o)
	if err != nil {
		return e, err
	}
	if e.images, err = NewTensor[uint8](images); err != nil {
		return e, err
	}
	if e.weights, err = Floats(l.total); err != nil {
		return e, err
	}
	e.out, err = Floats(evaluationBatch, outputs)
	return e, err
}

func (e *graphEncoder) Encode(ctx context.Context, weights []float32, images []uint8) ([]float32,
	error) {
	bytes := e.size * e.size * 3
	n := len(images) / bytes
	copy(e.weights.GetData(), weights)
	all := make([]float32, 0, (n+evaluationBatch)*e.outputs)
	for from := 0; from < n; from += evaluationBatch {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+evaluationBatch, n)
		copy(e.images.GetData(), images[from*bytes:to*bytes])
		if err := e.program.Run([]ort.Value{e.weights, e.images}, []ort.Value{e.out}); err != nil {
			return nil, err
		}
		all = append(all, e.out.GetData()...)
	}
	return all[:n*e.outputs], nil
}

func (e *graphEncoder) Close() {
	if e.program != nil {
		e.program.Close()
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
