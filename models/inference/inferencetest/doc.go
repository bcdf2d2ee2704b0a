// Package inferencetest builds small ONNX networks by hand, so that tests run real
// sessions on networks whose answers they know without training any.
//
// Its main function is Network, which adds a head and a tail that models/inference
// asks for to the nodes in between:
//
//	mean := handmade.Node("ReduceMean", inference.OutputName, handmade.Pixels, "axes")
//	model, err := handmade.Network(4, 3, []*onnx.NodeProto{handmade.With(mean, "keepdims", 0)}, handmade.Ints("axes", 1, 2))
//
// Dynamics does the same for dynamics.
package inferencetest
