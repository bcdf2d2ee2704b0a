// Package vision learns from images: stage 1, the world model whose codes are the nodes of the task
// graph, and stage 3, the classifier that reads predicates off images (paper, sections 5.1 and 5.3,
// appendix A).
//
// The main types are Preset, all settings of both stages; Learned, a trained world model; and
// LearnedClassifier. The latter two export ONNX networks for models/inference. Data flows like
// this:
//
//	dataset.Dataset -> TrainWorldModel -> Learned -> encoder (ONNX) -> Coder -> identity.Code
//	identity.TaskGraph(data, codes), stage 2 -> predicate vectors of images
//	predicate vectors, images -> TrainClassifier -> LearnedClassifier -> classifier (ONNX)
//
// # Stage 1
//
// A WorldModel is the network of the paper's figure 2: a student encoder, a teacher that follows
// it, FSQ (rounding of latents to codes), and heads for dynamics and inverse dynamics. Its
// Objective has the weight of each loss (losses.go):
//
//	dynamics, inverse, commitment, separation, augment   the paper's
//	pull         draws the latent of the successor to the prediction
//	choice       predicts the action from the current code alone
//	continuity   draws the latents of both ends of a static interval together
//	contrast     finds the other end of a static interval among all images of the batch
//	foresight    finds the predicted image among all images of the batch
//
// Training has phases, and fallbacks for recordings on which it fails: phases.go has the table of
// both, with all thresholds. An Evaluation says what training looks like at a step. The same data,
// preset and seed give the same weights, on any number of threads.
//
// Latents are in level units: an FSQ dimension of five levels has the values -2 to 2. A squared
// distance in a loss is the sum over the latent dimensions, averaged over the batch.
//
// # Extension
//
// A loss is an entry in losses.go: name, inputs, a head of its own where it has one, and its value.
// A weight in a preset's Objective switches it on; training, curves and --loss of the command line
// follow. A new input gets its name and its node there, too.
//
// docs/research/world-model-training.md has the differences from the paper, measurements, and what
// was tried and dropped.
package vision
