package operators

import (
	"math"
	"time"

	"stripswm/models/taskgraph"
)

// Numbers that are tuned, all of this package.

// How long Learn improves a model. Steps are those of package work.
const (
	// DefaultWork is in millions of steps. Two idle cores take less than ten seconds for it.
	// With a twelfth of it, dinner101_s2 takes 25 predicates instead of 20, and dinner101_s3 21
	// instead of 18. 20 and 18 are proved to be the least.
	DefaultWork = 120
	// stepsOfWork is how many steps Options.Work counts as one.
	stepsOfWork = 1_000_000
	// workPerSecond is how much of Options.Work two idle cores do in a second.
	workPerSecond = 12
	// safetyNet ends the default work on a machine that is too slow for it.
	safetyNet = time.Minute
	// searchTimes is how much more may be done to find variants than to choose regions: without few
	// variants, regions are in vain.
	searchTimes = 2
)

// How much is done to explain a model.
const (
	// keptProofs bounds how many proofs Learn keeps. Explain finds any of them on demand.
	keptProofs = 500
	// maxSuspectPairs is how many inseparable pairs Suspects looks into, suspectEdges how many edges
	// it tries, those in most proofs first. Both bound its time to seconds.
	maxSuspectPairs = 300
	suspectEdges    = 100
)

// defaultSuspicion is the greatest probability, as in most statistics, that an action applies where
// the recording does not show it, though it is counted as missing there.
const defaultSuspicion = 0.05

// Log odds of Merge: that of a claim to be believed, and that from which a believed one makes other
// claims of its graph likelier. At odds of two instead of twenty, different states are merged where
// 2 % of the labels are wrong; at two hundred, up to seven of some twenty superfluous nodes of
// BlocksWorld are left.
var (
	surely = math.Log(20)
	likely = math.Log(2)
)

// severalOutcomes is the probability that a node is two states, or that an action has several
// outcomes. At 0.5, 37 of 39 superfluous nodes are left where a tenth of the states are split.
const severalOutcomes = 0.05

// errorShare is the largest share of misread images and wrong labels that is reckoned with. With
// more of them, errors look like outcomes.
const errorShare = taskgraph.ErrorShare

// Points at which Merge integrates over unknown shares, all equally likely beforehand.
var (
	// shares of two codes in the images of one state, and of two states among the arrivals that lead
	// to either.
	shares = []float64{0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97}
	// concentrations of the share of one arrival about the common one. What makes the encoder choose
	// between two codes, such as light, may last: then samples of one arrival are alike, and are worth
	// fewer than their number. At the last the samples are independent.
	concentrations = []float64{2, 8, 32, 1000}
	// persistences: how often the second image of a static interval repeats the code of the first,
	// beyond chance.
	persistences = []float64{0, 0.5, 0.9, 0.99}
	// errorRates: how often an image is misread or a label wrong.
	errorRates = []float64{errorShare / 100, errorShare / 30, errorShare / 10, errorShare / 3,
		errorShare}
)
