// Package inferencetest builds small ONNX networks from single nodes. Tests run real sessions on
// networks with known answers, and train none.
//
// The main function is [Network]. It adds the input and the output that models/inference requires
// to the nodes between them. [Dynamics] does the same for dynamics:
//
//	nodes, constants --Network--> ONNX file --Open--> inference.Network
//
//	mean := inferencetest.Node("ReduceMean", inference.OutputName, inferencetest.Pixels, "axes")
//	nodes := []*onnx.NodeProto{inferencetest.With(mean, "keepdims", 0)}
//	model, err := inferencetest.Network(4, 3, nodes, inferencetest.Ints("axes", 1, 2))
package inferencetest
