package networks

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/gomlx/compute"
	onnxbackend "github.com/gomlx/compute-onnx"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
)

// builder turns GoMLX graphs into ONNX models. GoMLX builds a graph and its
// gradients; ONNX Runtime, the library that also serves inference, runs it.
var builder = sync.OnceValues(func() (*onnxbackend.Backend, error) {
	library, err := inference.Load("")
	if err != nil {
		return nil, err
	}
	onnxbackend.EnableAutoInstall(false) // nothing is downloaded behind the user's back
	backend, err := onnxbackend.New("cpu," + library)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", inference.ErrNoLibrary, library, err)
	}
	b := backend.(*onnxbackend.Backend)
	b.SetKeepModelProto(true)
	return b, nil
})

// graphFunc builds a graph from its inputs.
type graphFunc = func(inputs []*g.Node) []*g.Node

// BuildONNX builds fn's graph for inputs of the given shapes and returns it as
// an ONNX file's bytes.
func BuildONNX(fn graphFunc, in []shapes.Shape, inputNames, outputNames []string) ([]byte, error) {
	backend, err := builder()
	if err != nil {
		return nil, err
	}
	var model bytes.Buffer
	err = exceptions.TryCatch[error](func() {
		exec := g.MustNewExec(compute.Backend(backend), fn)
		defer exec.Finalize()
		graph, err := exec.Compile(in...)
		if err != nil {
			panic(err)
		}
		if err := onnxbackend.SaveModel(backend, graph.Executable(), &model, inputNames,
			outputNames); err != nil {
			panic(err)
		}
	})
	if err != nil {
		// GoMLX's errors print a stack with %+v; its text alone says what is wrong.
		return nil, fmt.Errorf("build graph: %s", err.Error())
	}
	return model.Bytes(), nil
}

// program is a compiled graph. It reads and writes tensors that its caller
// allocates once.
type program struct {
	session *ort.DynamicAdvancedSession
}

// Compile builds a graph and opens a session that runs it.
func Compile(fn graphFunc, in []shapes.Shape, outputs int, o inference.Options) (*program, error) {
	inputNames, outputNames := numbered("in", len(in)), numbered("out", outputs)
	model, err := BuildONNX(fn, in, inputNames, outputNames)
	if err != nil {
		return nil, err
	}
	session, _, _, err := inference.NewSession(model, inputNames, outputNames, o)
	if err != nil {
		return nil, err
	}
	return &program{session: session}, nil
}

func numbered(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return names
}

func (p *program) Run(in, out []ort.Value) error {
	if err := p.session.Run(in, out); err != nil {
		return fmt.Errorf("run graph: %w", err)
	}
	return nil
}

func (p *program) Close() { p.session.Destroy() }

// Floats allocates a float32 tensor.
func Floats(dims ...int) (*ort.Tensor[float32], error) { return NewTensor[float32](dims) }

func NewTensor[T ort.TensorData](dims []int) (*ort.Tensor[T], error) {
	shape := make(ort.Shape, len(dims))
	for i, d := range dims {
		shape[i] = int64(d)
	}
	t, err := ort.NewEmptyTensor[T](shape)
	if err != nil {
		return nil, fmt.Errorf("allocate tensor %v: %w", dims, err)
	}
	return t, nil
}
