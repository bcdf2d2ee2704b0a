// Package inference runs exported networks with ONNX Runtime, on the CPU, with
// CUDA or with TensorRT.
//
// The main type is Network: opened from an ONNX file, it takes packed RGB
// images and returns a row of numbers for each.
//
//	n, err := inference.OpenFile("bundle/classifier.onnx", inference.Options{Provider: inference.CUDA})
//	if reason := n.Fallback(); reason != nil { log.Print(reason) } // ran on the CPU instead
//	probabilities, err := n.Run(pixels)
//
// Dynamics is the world model's other network, from code to codes; Decoder goes from a latent
// vector back to a picture.
//
// Load finds the shared library that `make setup` installed; no environment
// variable is needed. NewSession is also what the training in models/vision
// runs on, so that threads and devices are configured in one place.
package inference
