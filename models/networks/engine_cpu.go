package networks

import (
	"context"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
	"stripswm/models/networks/internal/kernels"
)

// cpuEngine trains on the processor. The network is cpuNetwork's; the loss and its heads,
// a hundredth of the work, are a graph of GoMLX's that ONNX Runtime runs.
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
		{&e.measured, []int{t.Metrics}},
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
	}.Step(weights, e.all[stateFirstIntervals], e.all[stateSecondIntervals], teacher, e.gradient,
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
