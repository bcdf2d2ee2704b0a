package report

import "image"

// Condition is operators learned from the run's task graph in another way.
type Condition struct {
	Name           string
	TrueStates     int // |S*|
	Predicates     int // m
	Xi, Eta        int // sums of the slack
	FalsePositives int // applicable (state, action) pairs that the task graph does not have
	Codes          int // |X|
	Impossible     string
	Success        []Horizon // by horizon
}

// Calibration is how far the classifier can be believed at one strength of the nuisance.
type Calibration struct {
	Strength float64 // times the one trained with
	// Images are right, wrong (a known state but another) or not recognised; WrongCertain are those of
	// the wrong that the classifier does not diagnostic.
	Images, Right, Wrong, WrongCertain, Unrecognized int

	Together   Reliability   // of all predicates
	Predicates []Reliability // by predicate

	Queries int
	// planning with abstention, and from the nearest known state instead
	With, Without Outcomes
	// abstained from: plans that would have missed the goal, and reached it
	WrongAvoided, RightLost int
}

// Reliability is how well probabilities agree with what is true.
type Reliability struct {
	ECE, Brier float64
	Bins       []Bin // by probability
}

// Bin is the images that were given about the same probability.
type Bin struct {
	Images    int
	Predicted float64 // mean probability
	Holds     float64 // share in which the predicate holds
}

// Outcomes are what became of queries in the simulated world, or in the recorded graph.
type Outcomes struct{ Reached, Wrong, NoPlan, Abstained int }

// OutOfDistributionRow is a kind of images that should not be planned from, or only from the state
// that they showed before they were tampered with.
type OutOfDistributionRow struct {
	Kind                 string
	Images, Right, Wrong int // Right and Wrong are classified as that state, and for a wrong one
	Image                image.Image
	Verdict              string // on the image
}
