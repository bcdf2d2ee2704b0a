package vision

// Stage 1 trains in phases, and falls back on other losses where they fail. This file has every
// threshold of both, and those of stage 3; a share is of 1. What each phase and each fallback does:
//
//	phase      ends when                                       and then
//	separate   the discrimination loss stops falling           settle, the step is Learned.Separated
//	           (separated, waitForSplit)
//	settle     Schedule.Settled evaluations without a change   training is done
//	           (settledSince), after the rates have decayed
//
//	failure    is when                                         and then
//	collapsed  all images have one latent vector, from the     the training starts again with other
//	           first steps on (collapsed)                      weights, up to maxStarts times
//	overfit    there are more codes than there can be states   the next fallback
//	           (overfit)
//	stalled    settling takes too long (stalled), or longer    the next fallback
//	           than Schedule.Steps
//
//	recording                        objectives that are tried, one after the other (fallbacks)
//	nuisance changes                 Preset.Objective, Preset.FallbackSmall
//	nuisance persists                Preset.FallbackFew, Preset.FallbackForesight
//	nuisance persists, few visits    Preset.FallbackFew
//
// Fixed presets (small, medium, paper) have no phase separate: Schedule.Stable is a number of
// steps. Of all objectives that were tried, the one with the best score is kept.

// Phase separate: until the images that can be separated are.
const (
	// separatedEvaluations is the fewest evaluations from which a trend is read.
	separatedEvaluations = 4
	// separatedFall is the least fall of the discrimination loss over the last half of the steps,
	// as a share of its value by chance (contrastScale), with which the phase goes on.
	separatedFall = 0.02
	// consistentFall is the ratio of the minority share now to that at half of the steps below
	// which transitions still become more consistent, and the phase goes on.
	consistentFall = 0.8
	// consistentShare is the minority share that misread images and wrong labels explain: below
	// it nothing has to fall.
	consistentShare = 0.01
	// waitForSplit is how many times the steps to the first plateau the phase may last while the
	// images of one code show several states (identity.Split). Small objects take several times as
	// long as large ones: 3 % of the image on a grid of ten cells took 1,300 steps.
	waitForSplit = 8
	// decayShare is the decay after the phase, in steps for each step of the phase, as 1/n.
	decayShare = 2
)

// Phase settle: until nothing changes.
const (
	// decayedRate is the learning rate after its decay, as a share.
	decayedRate = 0.25
	// decayedWeight is the weight of a loss after its decay, as a share. At a fifth the loss
	// choice still overfitted DinnerTable Real-like: 70 to 77 codes for 71 states.
	decayedWeight = 0.1
	// settledNondeterminism is the fall of the number of nondeterministic pairs between two
	// evaluations that counts as none, as 1/n of it, and settledPairs is one that always does.
	settledNondeterminism, settledPairs = 10, 1
	// settledCodes is the change of the number of codes that counts as none, as 1/n of it: one
	// misread image in fifty states.
	settledCodes = 50
	// MinInverseAccuracy is the share of actions that the inverse head names right when codes
	// separate the actions: room for one wrong label in ten, and some misread images.
	MinInverseAccuracy = 0.85
)

// Failures.
const (
	// collapsedShare is the discrimination loss as a share of its value by chance from which
	// nothing is separated, and collapsedEvaluations how many evaluations in a row show it.
	collapsedShare, collapsedEvaluations = 0.99, 2
	// maxStarts is how often a training may start, each time with other weights. One training in
	// 39 collapsed.
	maxStarts = 4
	// overfitEvaluations is the fewest evaluations before a training counts as overfit.
	overfitEvaluations = 8
	// overfitMinority is the minority share above which codes contradict each other.
	overfitMinority = 0.1
	// overfitFall is the ratio of the minority share now to that at half of the steps below which
	// the contradictions still go away.
	overfitFall = 0.9
	// stalledSteps is how many times the steps of phase separate a training may take to settle.
	stalledSteps = 3
)

// Fallbacks.
const (
	// acceptedDisputed is the share of attempts whose refusal contradicts most others at their
	// code (Evaluation.Disputed) with which FallbackFew is accepted: wrong labels, misread images.
	acceptedDisputed = 0.01
	// foresightVisits is the average number of visits to a code from which FallbackForesight is
	// tried: with 20 visits it overfits each of them, with 43 it finds the states.
	foresightVisits = 20
	// persistentIntervals is how many static intervals, and persistentImages how many images,
	// nuisancePersists compares at most; 1 of persistentHalf intervals has to show it. Recordings
	// with new light and places in each image show it in 0 to 2 of 100, others in 100.
	persistentIntervals, persistentImages, persistentHalf = 200, 2000, 2
)

// Evaluations.
const (
	// comparableLoss is the ratio of the losses of two checkpoints up to which they count as
	// equal, so that nondeterminism decides (paper, appendix A.1).
	comparableLoss = 1.5
	// evaluationSteps is the fewest steps between two evaluations, and imagesPerStep what a longer
	// recording adds: one step for so many images. An evaluation then takes a tenth of the time,
	// because one step costs as much as the encoding of 500 images.
	evaluationSteps, imagesPerStep = 100, 64
)

// Stage 3.
const (
	// learnedShare is the share of images with all predicates right in training from which the
	// learning rate falls (ClassifierSettings.Patience).
	learnedShare = 0.95
	// classifierEvery is the number of steps between points of the learning curve, and
	// latelyPoints how many points the share is averaged over: 100 steps.
	classifierEvery, latelyPoints = 20, 5
)

// Streams of random numbers, each the second half of a generator's seed; the first half is
// Options.Seed, and the step where a step draws. Other values give other weights.
const (
	streamWeights    uint64 = 0x57a6e1 // starting weights of stage 1
	streamClassifier uint64 = 0xc1a551 // starting weights, and variations, of stage 3
	streamDither     uint64 = 0xd17e4  // dither of a batch; variations of image i have stream i
)
