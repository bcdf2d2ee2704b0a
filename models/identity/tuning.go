package identity

// Numbers that are tuned, all of this package.
const (
	// seldom: what is seen in less than one of so many cases may be misread images and wrong labels.
	seldom = 10
	// ConflictSupport is how often a second successor has to be seen to count.
	ConflictSupport = 3
	// minTogether is how often two transitions have to occur together, and a transition has to be
	// seen, to count: once may be a misread image.
	minTogether = 2
	// minExpected visits tell whether what never occurs together could have.
	minExpected = 10

	minVisits    = 4    // with the transition that a division by images starts with, and without
	minAgreement = 0.75 // share of static intervals (agreement)
	minEvidence  = 4.6  // log Bayes factor (dependence): a factor of 100
	fitRounds    = 8    // of expectation maximisation
	parts        = 4    // of cross-validation
	minVariance  = 1e-9 // of a pixel, so that images without noise have weights, too
)
