package networks

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"github.com/gomlx/compute"
	onnxbackend "github.com/gomlx/compute-onnx"
	onnx "github.com/gomlx/compute-onnx/support/protos"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
	ort "github.com/yalue/onnxruntime_go"
	"google.golang.org/protobuf/proto"

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

// exportRows is the batch size that an exported graph is built with before the
// batch axis is made symbolic: a prime that no other axis has.
const exportRows = 7919

// ExportNetwork returns a backbone with weights of the layout, and final after it, as an ONNX
// network.
func ExportNetwork(b Backbone, l *Layout, flat []float32, final func(*g.Node) *g.Node) ([]byte,
	error) {
	return ExportOfImages(b.ImageSize(), func(images *g.Node) *g.Node {
		h, _ := b.Apply(l.Constants(images.Graph(), flat), images)
		return final(h)
	})
}

// ExportOfImages returns what fn makes of any number of images [n, size, size, 3] as an
// ONNX network.
func ExportOfImages(size int, fn func(images *g.Node) *g.Node) ([]byte, error) {
	model, err := ExportBatch(fn, inference.InputName, dtypes.Uint8, size, size, 3)
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	return model, nil
}

// ExportBatch returns what fn makes of any number of rows as an ONNX network, whose input has
// that name; dims are the sizes of a row.
func ExportBatch(fn func(*g.Node) *g.Node, name string, of dtypes.DType, dims ...int) ([]byte,
	error) {
	model, err := BuildONNX(func(in []*g.Node) []*g.Node { return []*g.Node{fn(in[0])} },
		[]shapes.Shape{shapes.Make(of, append([]int{exportRows}, dims...)...)}, []string{name},
		[]string{inference.OutputName})
	if err != nil {
		return nil, err
	}
	return freeBatch(model)
}

// freeBatch makes the leading axis of a network built with exportRows images
// symbolic: in the declared input and output, in the targets of Reshape (-1:
// whatever is left) and in the ends of Slice (as far as it goes).
func freeBatch(model []byte) ([]byte, error) {
	var m onnx.ModelProto
	if err := proto.Unmarshal(model, &m); err != nil {
		return nil, fmt.Errorf("read back the model: %w", err)
	}
	constants := map[string]*onnx.TensorProto{}
	for _, c := range m.Graph.Initializer {
		constants[c.Name] = c
	}
	for _, node := range m.Graph.Node {
		operand, free := 0, int64(0)
		switch node.OpType {
		case "Reshape":
			operand, free = 1, -1
		case "Slice":
			operand, free = 2, math.MaxInt64
		default:
			continue
		}
		// One constant may size several nodes, of both kinds: each kind has a copy.
		name := fmt.Sprintf("%s_of_%s", node.Input[operand], node.OpType)
		if _, made := constants[name]; !made {
			sizes := freed(constants[node.Input[operand]], free)
			if sizes == nil {
				continue
			}
			sizes.Name, constants[name] = name, sizes
			m.Graph.Initializer = append(m.Graph.Initializer, sizes)
		}
		node.Input[operand] = name
	}
	for _, io := range append(m.Graph.Input, m.Graph.Output...) {
		dims := io.Type.GetTensorType().GetShape().GetDim()
		if len(dims) == 0 || dims[0].GetDimValue() != exportRows {
			continue
		}
		dims[0].Value = &onnx.TensorShapeProto_Dimension_DimParam{DimParam: "n"}
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(&m)
}

// freed is an int64 constant that begins with exportRows, or a multiple of it, with value in
// that place: rows of several images are flattened for products. It is nil for another one.
func freed(c *onnx.TensorProto, value int64) *onnx.TensorProto {
	if c == nil || c.DataType != int32(onnx.TensorProto_INT64) || len(c.RawData) < 8 {
		return nil
	}
	if leading := binary.LittleEndian.Uint64(c.RawData); leading == 0 || leading%exportRows != 0 {
		return nil
	}
	c = proto.Clone(c).(*onnx.TensorProto)
	binary.LittleEndian.PutUint64(c.RawData, uint64(value))
	return c
}
