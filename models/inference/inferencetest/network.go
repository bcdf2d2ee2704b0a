package inferencetest

import (
	"encoding/binary"
	"math"
	"testing"

	onnx "github.com/gomlx/compute-onnx/support/protos"
	"google.golang.org/protobuf/proto"

	"stripswm/models/inference"
)

// Pixels names the network's images as float32 [n, side, side, 3], 0 to 255.
const Pixels = "pixels"

// Network returns the ONNX file of a network that takes side x side images to
// rows of so many outputs: the nodes, in order, lead from Pixels to
// inference.OutputName with the help of the constants.
func Network(side, outputs int, nodes []*onnx.NodeProto, constants ...*onnx.TensorProto) []byte {
	cast := with(Node("Cast", Pixels, inference.InputName), "to", int64(onnx.TensorProto_FLOAT))
	return file(&onnx.GraphProto{
		Input: []*onnx.ValueInfoProto{value(inference.InputName, onnx.TensorProto_UINT8, anyBatch,
			int64(side), int64(side), 3)},
		Output: []*onnx.ValueInfoProto{value(inference.OutputName, onnx.TensorProto_FLOAT, anyBatch,
			int64(outputs))},
		Initializer: constants,
		Node:        append([]*onnx.NodeProto{cast}, nodes...),
	})
}

// Mean names the means of each image's channels, float32 [n, 3].
const Mean = "mean"

// OfMeans is Network of nodes that lead from Mean; where there are none, it gives the means.
func OfMeans(side, outputs int, nodes []*onnx.NodeProto, constants ...*onnx.TensorProto) []byte {
	name := Mean
	if len(nodes) == 0 {
		name = inference.OutputName
	}
	mean := with(Node("ReduceMean", name, Pixels, "mean axes"), "keepdims", 0)
	return Network(side, outputs, append([]*onnx.NodeProto{mean}, nodes...),
		append(constants, Ints("mean axes", 1, 2))...)
}

// Dynamics returns the ONNX file of dynamics over codes of so many dimensions:
// the nodes, in order, lead from inference.CodeName to inference.OutputName.
func Dynamics(dims, actions int, nodes []*onnx.NodeProto, constants ...*onnx.TensorProto) []byte {
	return file(&onnx.GraphProto{
		Input: []*onnx.ValueInfoProto{value(inference.CodeName, onnx.TensorProto_FLOAT, 1,
			int64(dims))},
		Output: []*onnx.ValueInfoProto{value(inference.OutputName, onnx.TensorProto_FLOAT,
			int64(actions), int64(dims))},
		Initializer: constants,
		Node:        nodes,
	})
}

func file(graph *onnx.GraphProto) []byte {
	graph.Name = "inferencetest"
	data, err := proto.Marshal(&onnx.ModelProto{IrVersion: 8, OpsetImport: []*onnx.OperatorSetIdProto{
		{Version: 18}}, Graph: graph})
	if err != nil {
		panic(err) // not reached: all of it is there
	}
	return data
}

// Node is an operator without attributes.
func Node(op, out string, in ...string) *onnx.NodeProto {
	return &onnx.NodeProto{OpType: op, Input: in, Output: []string{out}}
}

// with adds an integer attribute to a node and returns it.
func with(n *onnx.NodeProto, name string, v int64) *onnx.NodeProto {
	n.Attribute = append(n.Attribute, &onnx.AttributeProto{Name: name, Type: onnx.AttributeProto_INT,
		I: v})
	return n
}

// Floats is a constant of the given shape, a scalar without one.
func Floats(name string, dims []int64, values ...float64) *onnx.TensorProto {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(v)))
	}
	return &onnx.TensorProto{Name: name, DataType: int32(onnx.TensorProto_FLOAT), Dims: dims,
		RawData: raw}
}

// Ints is a constant vector.
func Ints(name string, values ...int64) *onnx.TensorProto {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return &onnx.TensorProto{Name: name, DataType: int32(onnx.TensorProto_INT64),
		Dims: []int64{int64(len(values))}, RawData: raw}
}

// anyBatch stands for a dimension of any size.
const anyBatch = -1

// value describes an input or output.
func value(name string, kind onnx.TensorProto_DataType, dims ...int64) *onnx.ValueInfoProto {
	shape := &onnx.TensorShapeProto{}
	for _, d := range dims {
		if d == anyBatch {
			shape.Dim = append(shape.Dim, &onnx.TensorShapeProto_Dimension{
				Value: &onnx.TensorShapeProto_Dimension_DimParam{DimParam: "n"}})
			continue
		}
		shape.Dim = append(shape.Dim, &onnx.TensorShapeProto_Dimension{
			Value: &onnx.TensorShapeProto_Dimension_DimValue{DimValue: d}})
	}
	return &onnx.ValueInfoProto{Name: name, Type: &onnx.TypeProto{Value: &onnx.TypeProto_TensorType{
		TensorType: &onnx.TypeProto_Tensor{ElemType: int32(kind), Shape: shape}}}}
}

// Open opens an exported network until the test ends.
func Open(t testing.TB, model []byte) *inference.Network {
	t.Helper()
	network, err := inference.Open(model, inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { network.Close() })
	return network
}
