package vision

import (
	"context"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
	"stripswm/models/vision/internal/kernels"
)

// cpuEngine trains on the processor. The network is cpuNetwork's; the loss and its heads,
// a hundredth of the work, are a graph of GoMLX's that ONNX Runtime runs.
type cpuEngine struct {
	task
	student, teacher *cpuNetwork
	judged           *program
	all              [][]float32 // state
	mask, gradient   []float32
	weights          *ort.Tensor[float32]
	outputs, taught  *ort.Tensor[float32]
	shares           *ort.Tensor[float32]
	dOut, dHeads     *ort.Tensor[float32]
	measured         *ort.Tensor[float32]
}

func newCPUEngine(t task, net Isotropic, o Options) (e *cpuEngine, err error) {
	e = &cpuEngine{task: t, student: newCPUNetwork(net, t.outputs, o.Threads), mask: t.layout.decayMask(), gradient: make([]float32, t.layout.total)}
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	if t.teacher {
		e.teacher = newCPUNetwork(net, t.outputs, o.Threads)
	}
	own, heads := e.student.layout.total, t.layout.total-e.student.layout.total
	in := []shapes.Shape{flat(t.layout.total), shapes.Make(dtypes.Float32, t.views*t.batch, t.outputs),
		shapes.Make(dtypes.Float32, t.batch, t.outputs), flat(max(t.rates-3, 1))}
	e.judged, err = compile(func(in []*g.Node) []*g.Node {
		d := newGradients(t.layout.split(in[0]))
		dh, metrics := t.judge(d, in[1], in[2], in[3], in[4:])
		return []*g.Node{dh, d.flat(own), joined(metrics)}
	}, append(in, t.rest...), 3, inference.Options{Threads: max(t.judges, 1)})
	if err != nil {
		return e, err
	}
	for _, f := range []struct {
		tensor **ort.Tensor[float32]
		dims   []int
	}{
		{&e.weights, in[0].Dimensions}, {&e.outputs, in[1].Dimensions}, {&e.taught, in[2].Dimensions}, {&e.shares, in[3].Dimensions},
		{&e.dOut, in[1].Dimensions}, {&e.dHeads, []int{max(heads, 1)}}, {&e.measured, []int{t.metrics}},
	} {
		if *f.tensor, err = floats(f.dims...); err != nil {
			return e, err
		}
	}
	e.all = [][]float32{e.weights.GetData()}
	for range t.parts() - 1 {
		e.all = append(e.all, make([]float32, t.layout.total))
	}
	return e, nil
}

func (e *cpuEngine) state() [][]float32 { return e.all }

func (e *cpuEngine) step(rates []float32, b inputTensors) ([]float32, error) {
	images := make([][]uint8, len(b.images))
	for i, p := range b.images {
		images[i] = p.GetData()
	}
	weights, own := e.all[0], e.student.layout.total
	e.student.load(weights, true)
	e.student.forward(weights, images, e.outputs.GetData())
	var teacher []float32
	if e.task.teacher {
		teacher = e.all[3]
		e.teacher.load(teacher, false)
		e.teacher.forward(teacher, images[1:2], e.taught.GetData())
	}
	copy(e.shares.GetData(), rates[3:])
	in := append([]ort.Value{e.weights, e.outputs, e.taught, e.shares}, b.rest...)
	if err := e.judged.run(in, []ort.Value{e.dOut, e.dHeads, e.measured}); err != nil {
		return nil, err
	}
	clear(e.gradient[:own])
	copy(e.gradient[own:], e.dHeads.GetData())
	e.student.backward(weights, e.dOut.GetData(), e.gradient)
	kernels.Adam{
		Rate: rates[0], Correction1: rates[1], Correction2: rates[2], Beta1: float32(e.Beta1), Beta2: float32(e.Beta2),
		Epsilon: adamEpsilon, Decay: float32(e.WeightDecay), EMA: float32(e.ema),
	}.Step(weights, e.all[1], e.all[2], teacher, e.gradient, e.mask)
	return e.measured.GetData(), nil
}

func (e *cpuEngine) close() {
	if e.judged != nil {
		e.judged.close()
	}
	for _, tensor := range []*ort.Tensor[float32]{e.weights, e.outputs, e.taught, e.shares, e.dOut, e.dHeads, e.measured} {
		if tensor != nil {
			tensor.Destroy()
		}
	}
}

// cpuEncoder encodes on the processor.
type cpuEncoder struct{ net *cpuNetwork }

func (e *cpuEncoder) encode(ctx context.Context, weights []float32, d *Dataset, n int) ([]float32, error) {
	e.net.load(weights, false)
	out := make([]float32, n*e.net.outputs)
	for from := 0; from < n; from += evaluationBatch {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+evaluationBatch, n)
		images := [][]uint8{d.pixels[from*d.imageBytes() : to*d.imageBytes()]}
		e.net.forward(weights, images, out[from*e.net.outputs:to*e.net.outputs])
	}
	return out, nil
}

func (e *cpuEncoder) close() {}
