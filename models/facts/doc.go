// Package facts sees the facts of a learned model in images, also in combinations that were never
// recorded.
//
// Package traces learns facts from attempts, and knows their values in the static intervals of the
// recording. These are labels of the recorded images. Train learns from them a Recognizer: a
// classifier with an output for each fact and each derived predicate, in which unknown values train
// nothing, and what it takes to trust an image.
//
//	dataset -> Attempts -> Without(Contradictions) -> traces.Learn -> Result -+
//	                    \-> effects.Learn (what no fact of these tells) -------/|
//	images of the dataset ----------------------------------------------------+-> Train
//	new images -> Recognizer.Recognize -> predicate vectors, or refusals
//
// Contradictions are attempts whose images show something else than what was recorded: another
// action's effect, none, or a change between two attempts.
//
// The outputs are decoded to the most likely vector that satisfies the Constraints of the model:
// literals that exclude each other, and weighted sums of facts that no action changes. They are
// found in the operators, and no state is enumerated.
//
// An image is refused if the outputs make its vector unlikely, or if it does not look like its
// vector (Appearance: a sum of parts, one for each predicate, and for pairs of facts that look
// otherwise together). The limits are set by images that nothing was learned from.
//
// Measurements are in docs/research/facts.md and docs/research/recognition-check.md.
package facts
