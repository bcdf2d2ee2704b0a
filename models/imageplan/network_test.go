package imageplan_test

import (
	"encoding/binary"
	"math"
	"testing"

	onnx "github.com/gomlx/compute-onnx/support/protos"
	"google.golang.org/protobuf/proto"

	"stripswm/models/inference"
)

// colourNetwork is a classifier made by hand: predicate c is how bright channel
// c of the picture is on average, sigmoid((mean - 127.5) / 8).
func colourNetwork(t testing.TB, side int) *inference.Network {
	t.Helper()
	network, err := inference.Open(colourModel(t, side), inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return network
}

// colourModel is its ONNX file.
func colourModel(t testing.TB, side int) []byte {
	t.Helper()
	tensor := func(name string, kind onnx.TensorProto_DataType, dims []int64, raw []byte) *onnx.TensorProto {
		return &onnx.TensorProto{Name: name, DataType: int32(kind), Dims: dims, RawData: raw}
	}
	value := func(name string, kind onnx.TensorProto_DataType, dims ...int64) *onnx.ValueInfoProto {
		shape := &onnx.TensorShapeProto{Dim: []*onnx.TensorShapeProto_Dimension{{Value: &onnx.TensorShapeProto_Dimension_DimParam{DimParam: "n"}}}}
		for _, d := range dims {
			shape.Dim = append(shape.Dim, &onnx.TensorShapeProto_Dimension{Value: &onnx.TensorShapeProto_Dimension_DimValue{DimValue: d}})
		}
		return &onnx.ValueInfoProto{Name: name, Type: &onnx.TypeProto{Value: &onnx.TypeProto_TensorType{
			TensorType: &onnx.TypeProto_Tensor{ElemType: int32(kind), Shape: shape}}}}
	}
	node := func(op, out string, in ...string) *onnx.NodeProto {
		return &onnx.NodeProto{OpType: op, Input: in, Output: []string{out}}
	}
	cast := node("Cast", "float", inference.InputName)
	cast.Attribute = []*onnx.AttributeProto{{Name: "to", Type: onnx.AttributeProto_INT, I: int64(onnx.TensorProto_FLOAT)}}
	mean := node("ReduceMean", "mean", "float", "axes")
	mean.Attribute = []*onnx.AttributeProto{{Name: "keepdims", Type: onnx.AttributeProto_INT, I: 0}}
	model := &onnx.ModelProto{
		IrVersion:   8,
		OpsetImport: []*onnx.OperatorSetIdProto{{Version: 18}},
		Graph: &onnx.GraphProto{
			Name:   "colours",
			Input:  []*onnx.ValueInfoProto{value(inference.InputName, onnx.TensorProto_UINT8, int64(side), int64(side), 3)},
			Output: []*onnx.ValueInfoProto{value(inference.OutputName, onnx.TensorProto_FLOAT, 3)},
			Initializer: []*onnx.TensorProto{
				tensor("axes", onnx.TensorProto_INT64, []int64{2}, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 1), 2)),
				tensor("middle", onnx.TensorProto_FLOAT, nil, binary.LittleEndian.AppendUint32(nil, math.Float32bits(127.5))),
				tensor("steepness", onnx.TensorProto_FLOAT, nil, binary.LittleEndian.AppendUint32(nil, math.Float32bits(1./8))),
			},
			Node: []*onnx.NodeProto{cast, mean, node("Sub", "centred", "mean", "middle"), node("Mul", "logits", "centred", "steepness"), node("Sigmoid", inference.OutputName, "logits")},
		},
	}
	data, err := proto.Marshal(model)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
