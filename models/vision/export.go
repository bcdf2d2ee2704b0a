package vision

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	onnx "github.com/gomlx/compute-onnx/support/protos"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	g "github.com/gomlx/gomlx/core/graph"
	"google.golang.org/protobuf/proto"

	"stripswm/models/inference"
)

// exportRows is the batch size that an exported graph is built with before the
// batch axis is made symbolic: a prime that no other axis has.
const exportRows = 7919

// Export returns the teacher as an ONNX network: images in, latents [n, dims]
// in level units out, bounded but not rounded (see FSQ.Code).
func (l *Learned) Export() ([]byte, error) {
	layout := &layout{}
	l.Model.Backbone.declare(layout, l.Model.FSQ.Dims)
	return exportNetwork(l.Model.Backbone, layout, l.Teacher, l.Model.FSQ.bound)
}

// ExportDynamics returns the learned dynamics as an ONNX network: a code [1, dims]
// in level units in, its predicted successor under each action [L, dims] out, not
// yet rounded.
func (l *Learned) ExportDynamics() ([]byte, error) {
	whole, own := l.Model.layout(), &layout{}
	head := l.Model.dynamics()
	head.declare(own)
	from := whole.slots[whole.index[head.names()[0]]].offset
	model, err := buildONNX(func(in []*g.Node) []*g.Node {
		actions := g.OneHot(g.Iota(in[0].Graph(), shapes.Make(dtypes.Int32, l.Model.Actions), 0), l.Model.Actions, dtypes.Float32)
		code := g.BroadcastToDims(in[0], l.Model.Actions, l.Model.FSQ.Dims)
		w := own.constants(in[0].Graph(), l.Teacher[from:from+own.total])
		return []*g.Node{head.apply(w, g.Concatenate([]*g.Node{code, actions}, 1))}
	}, []shapes.Shape{shapes.Make(dtypes.Float32, 1, l.Model.FSQ.Dims)},
		[]string{inference.CodeName}, []string{inference.OutputName})
	if err != nil {
		return nil, fmt.Errorf("export dynamics: %w", err)
	}
	return model, nil
}

// Export returns the classifier as an ONNX network: images in, probabilities
// [n, m] out.
func (l *LearnedClassifier) Export() ([]byte, error) {
	return exportNetwork(l.Classifier.Backbone, l.Classifier.layout(), l.Weights, g.Sigmoid)
}

func exportNetwork(b Backbone, l *layout, flat []float32, final func(*g.Node) *g.Node) ([]byte, error) {
	return exportOfImages(b.size(), func(images *g.Node) *g.Node {
		h, _ := b.apply(l.constants(images.Graph(), flat), images)
		return final(h)
	})
}

// exportOfImages returns what fn makes of any number of images [n, size, size, 3] as an
// ONNX network.
func exportOfImages(size int, fn func(images *g.Node) *g.Node) ([]byte, error) {
	model, err := exportBatch(fn, shapes.Make(dtypes.Uint8, exportRows, size, size, 3), inference.InputName)
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	return model, nil
}

// exportBatch returns what fn makes of any number of rows as an ONNX network; in has
// exportRows of them.
func exportBatch(fn func(*g.Node) *g.Node, in shapes.Shape, name string) ([]byte, error) {
	model, err := buildONNX(func(in []*g.Node) []*g.Node { return []*g.Node{fn(in[0])} },
		[]shapes.Shape{in}, []string{name}, []string{inference.OutputName})
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
		sizes, made := constants[name]
		if !made {
			if sizes = freed(constants[node.Input[operand]], free); sizes == nil {
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

// Difference compares an exported network with the trainer's on the first
// images of the data and returns the largest absolute difference of an output.
// The network runs on one image at a time and on several.
func (l *Learned) Difference(ctx context.Context, exported []byte, d *Dataset) (float64, error) {
	return difference(ctx, exported, d, l.Model.Backbone, l.Model.layout(), l.Teacher, l.Model.FSQ.Dims, l.Model.FSQ.boundAll)
}

// Difference is the same for the classifier.
func (l *LearnedClassifier) Difference(ctx context.Context, exported []byte, d *Dataset) (float64, error) {
	return difference(ctx, exported, d, l.Classifier.Backbone, l.Classifier.layout(), l.Weights, l.Classifier.Predicates, func(logits []float32) {
		for i, z := range logits {
			logits[i] = float32(1 / (1 + math.Exp(-float64(z))))
		}
	})
}

func difference(ctx context.Context, exported []byte, d *Dataset, b Backbone, l *layout, weights []float32, outputs int, final func([]float32)) (float64, error) {
	n := min(d.Images(), evaluationBatch)
	e, err := newEncoder(b, l, outputs, Options{})
	if err != nil {
		return 0, fmt.Errorf("compare export: %w", err)
	}
	defer e.close()
	want, err := e.encode(ctx, weights, d, n)
	if err != nil {
		return 0, fmt.Errorf("compare export: %w", err)
	}
	final(want)
	network, err := inference.Open(exported, inference.Options{})
	if err != nil {
		return 0, fmt.Errorf("compare export: %w", err)
	}
	defer network.Close()
	worst := 0.0
	for _, span := range [][2]int{{0, 1}, {1, min(2, n)}, {0, n}} {
		if span[0] == span[1] {
			continue
		}
		got, err := network.Run(d.pixels[span[0]*d.imageBytes() : span[1]*d.imageBytes()])
		if err != nil {
			return 0, fmt.Errorf("compare export: %w", err)
		}
		for i, v := range got {
			worst = max(worst, math.Abs(float64(v-want[span[0]*outputs+i])))
		}
	}
	return worst, nil
}
