// Package inferencetest builds small ONNX networks from single nodes. Tests run real sessions on
// networks with known answers, and train none.
//
// The main function is [Network]. It adds the input and the output that models/inference requires
// to the nodes between them. [Dynamics] does the same for dynamics:
//
//	nodes, constants --Network--> ONNX file --Open--> inference.Network
//
//	model := inferencetest.OfMeans(4, 3, []*onnx.NodeProto{
//		inferencetest.Node("Sigmoid", inference.OutputName, inferencetest.Mean)})
package inferencetest
