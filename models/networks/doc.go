// Package networks has the neural networks of stages 1 and 3: backbones, the engines that train
// them, and their export to ONNX.
//
// The main type is Task, what an Engine trains: a Backbone, the Layout of all weights, an Optimizer
// and the loss. Each step takes Inputs and returns metrics:
//
//	Task -> NewEngine -> Engine.Step(rates, Inputs) -> metrics; Engine.State has the weights
//	weights -> NewEncoder -> Encoder.Encode(images) -> outputs
//	weights -> ExportNetwork -> ONNX for models/inference
//
// There are two engines. On the processor the Isotropic backbone runs on our own kernels
// (cpu.go, internal/kernels), at twice the speed of ONNX Runtime, and only the loss is a
// graph. Everything else is one graph a step: GoMLX builds it, compute-onnx turns it into an ONNX
// model, and ONNX Runtime, the library that also serves inference, runs it on any device. Layers
// have gradients of their own (layers.go), and all weights are in one flat vector (params.go). Our
// kernels give the same weights on any number of threads.
//
// A Trainer is an engine with the inputs of its next step, which are prepared while it works, and
// the means of what it measures. Sampler draws batches that depend on seed and step alone.
//
// A new backbone is a type that implements Backbone, in a file of its own, such as ConvNeXt and
// Isotropic. Its tests are a line in a table, which compares its gradients with finite differences
// and its export with training.
package networks
