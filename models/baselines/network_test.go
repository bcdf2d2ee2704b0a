package baselines

import (
	"encoding/binary"
	"math"
	"testing"

	onnx "github.com/gomlx/compute-onnx/support/protos"
	"google.golang.org/protobuf/proto"

	"stripswm/models/inference"
)

// colourEncoder is an encoder made by hand for pictures of 4x4 pixels: latent c
// is the mean of channel c, from -1 (dark) to 1 (bright).
func colourEncoder(t testing.TB) *inference.Network {
	t.Helper()
	network, err := inference.Open(colourModel(t), inference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return network
}

// colourModel is its ONNX file.
func colourModel(t testing.TB) []byte {
	t.Helper()
	scalar := func(name string, v float32) *onnx.TensorProto {
		return &onnx.TensorProto{Name: name, DataType: int32(onnx.TensorProto_FLOAT), RawData: binary.LittleEndian.AppendUint32(nil, math.Float32bits(v))}
	}
	value := func(name string, kind onnx.TensorProto_DataType, dims ...int64) *onnx.ValueInfoProto {
		shape := &onnx.TensorShapeProto{Dim: []*onnx.TensorShapeProto_Dimension{{Value: &onnx.TensorShapeProto_Dimension_DimParam{DimParam: "n"}}}}
		for _, d := range dims {
			shape.Dim = append(shape.Dim, &onnx.TensorShapeProto_Dimension{Value: &onnx.TensorShapeProto_Dimension_DimValue{DimValue: d}})
		}
		return &onnx.ValueInfoProto{Name: name, Type: &onnx.TypeProto{Value: &onnx.TypeProto_TensorType{
			TensorType: &onnx.TypeProto_Tensor{ElemType: int32(kind), Shape: shape}}}}
	}
	integer := func(name string, v int) []*onnx.AttributeProto {
		return []*onnx.AttributeProto{{Name: name, Type: onnx.AttributeProto_INT, I: int64(v)}}
	}
	axes := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 1), 2)
	data, err := proto.Marshal(&onnx.ModelProto{
		IrVersion:   8,
		OpsetImport: []*onnx.OperatorSetIdProto{{Version: 18}},
		Graph: &onnx.GraphProto{
			Name:   "colours",
			Input:  []*onnx.ValueInfoProto{value(inference.InputName, onnx.TensorProto_UINT8, 4, 4, 3)},
			Output: []*onnx.ValueInfoProto{value(inference.OutputName, onnx.TensorProto_FLOAT, 3)},
			Initializer: []*onnx.TensorProto{scalar("half", 127.5), scalar("one", 1),
				{Name: "axes", DataType: int32(onnx.TensorProto_INT64), Dims: []int64{2}, RawData: axes}},
			Node: []*onnx.NodeProto{
				{OpType: "Cast", Input: []string{inference.InputName}, Output: []string{"float"}, Attribute: integer("to", int(onnx.TensorProto_FLOAT))},
				{OpType: "ReduceMean", Input: []string{"float", "axes"}, Output: []string{"mean"}, Attribute: integer("keepdims", 0)},
				{OpType: "Div", Input: []string{"mean", "half"}, Output: []string{"scaled"}},
				{OpType: "Sub", Input: []string{"scaled", "one"}, Output: []string{inference.OutputName}},
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}
