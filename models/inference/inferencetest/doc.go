// Package inferencetest builds small ONNX networks by hand, so that tests run real
// sessions on networks whose answers they know without training any.
//
// Its main function is Network, which adds a head and a tail that models/inference
// asks for to the nodes in between:
//
//	mean := inferencetest.Node("ReduceMean", inference.OutputName, inferencetest.Pixels, "axes")
//	model, err := inferencetest.Network(4, 3, []*onnx.NodeProto{inferencetest.With(mean, "keepdims", 0)}, inferencetest.Ints("axes", 1, 2))
//
// Dynamics does the same for dynamics.
package inferencetest
