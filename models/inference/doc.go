// Package inference runs exported networks with ONNX Runtime, on the CPU, with CUDA or with
// TensorRT.
//
// The main type is [Network], opened from the bytes of an ONNX file. It takes packed RGB images and
// returns a row of numbers for each:
//
//	images (uint8) --Network--> latent vectors or probabilities (float32)
//	latent vector --Dynamics--> latent vector after each action
//	latent vector --Decoder--> image
//
//	n, err := inference.Open(model, inference.Options{Device: inference.CUDA})
//	if reason := n.Fallback(); reason != nil {
//		log.Print(reason) // it runs on the CPU instead
//	}
//	probabilities, err := n.Run(images)
//
// [Load] finds the shared library that make setup installed; no environment variable is needed.
// [NewSession] is also used by the training in models/networks, so that threads and devices are
// configured in one place.
package inference
