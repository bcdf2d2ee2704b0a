package report

import (
	"image"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Input is everything a report can show. Each field may be empty: its section is then left out.
type Input struct {
	Title   string // of the page; empty means Domain
	Domain  string
	Preset  string
	Seed    uint64
	Command string // that reproduces the run
	Notes   []string
	// Versions of the programs that made the run.
	Versions []Fact

	Facts       *Facts // where facts were learned, and no task graph
	Table       *Table
	Paper       *Table // the paper's row for this domain, to compare with
	Graph       *taskgraph.Graph
	Merged      []string      // what was merged and why, a line each
	Diagnostics []Diagnostic  // where what was learned cannot be right
	Branches    []string      // which (state, action) have several outcomes, a line each
	States      []StateImages // by strips.StateID
	Stage1      *Stage1
	Model       *strips.Model
	Stage3      []ClassifierPoint // by step
	Success     []Horizon         // by horizon
	// the ground truth is what a recording says: there is no world to execute plans in
	Recorded  bool
	Baselines []Method    // on the same queries as Success
	Ablation  []Condition // the run's own model first
	// Calibration is by strength of the nuisance, the one trained with first.
	Calibration []Calibration
	Unrelated   []OutOfDistributionRow // images that show no state, by kind
	Corrupted   []OutOfDistributionRow // images of states that were tampered with
	Plan        *Plan
	Timings     []Timing
}

// Diagnostic is something that the recording shows cannot be right, or is not known to be.
type Diagnostic struct {
	What, Do string      // a sentence each, small first letter, no full stop
	Images   []ImagePair // to look at
}

// Fact is a name and what it is.
type Fact struct{ Name, Value string }

// Facts is what was learned where there are facts in the place of a task graph.
type Facts struct {
	Skills, Successes, Refused int
	Facts, Derived             int      // predicates
	Refusals, Explained        int      // in different states; by preconditions
	NotUsed                    []string // skills that no plan uses, and why, a line each
	States, Alike              int      // true states that were evaluated; that share all facts
}

// Table is a row of the paper's table of domain and learned abstraction statistics.
type Table struct {
	Actions          int // |A|
	Transitions      int // |D_O|
	TrueStates       int // |S*|; 0 where it is not known, as on a real robot
	States           int // |S|, nodes of the learned task graph
	Codes            int // |X|, distinct predicate vectors
	Predicates       int // m
	Xi               int // sum of the transition slack
	Eta              int // sum of the applicability slack
	Nondeterministic int // (state, action) pairs seen to lead to several states
}

// StateImages is a learned state as the camera saw it.
type StateImages struct {
	Support int    // training images of this state
	Code    string // its latent code
	Images  []image.Image
}

// Stage1 is how the representation was trained.
type Stage1 struct {
	Losses   []LossPoint // by step
	Codes    []CodePoint // by step
	Selected int         // step of the checkpoint that was kept; 0: not known
}

// LossPoint is the losses, by name, at one step of training.
type LossPoint struct {
	Step   int
	Values map[string]float64
}

// CodePoint is what an evaluation during stage 1 counted.
type CodePoint struct {
	Step             int
	Codes            int // distinct latent codes
	Nondeterministic int // (code, action) pairs that lead to several codes
}

// ClassifierPoint is the predicate classifier after a step of training.
type ClassifierPoint struct {
	Step        int
	Loss        float64
	BitAccuracy float64 // share of predicate values that are right, 0..1
	ExactMatch  float64 // share of images with all values right, 0..1
}

// Horizon is how many of the queries of one shortest-path length were solved.
type Horizon struct {
	Horizon     int
	Queries     int
	SolvedGraph int // plan reaches the goal in the ground-truth graph
	Executed    int // carried out in closed loop in the simulated world; none where Input.Recorded
	Reached     int // of these, those that ended in the goal
}

// Method is another planner on the same queries.
type Method struct {
	Name    string
	Success []Horizon
}

// Plan is one plan as images.
type Plan struct {
	Caption     string // where start and goal come from, and anything else to know
	Start, Goal image.Image
	Steps       []PlanStep
}

// PlanStep is one action of a plan and the state it should lead to.
type PlanStep struct {
	Action strips.ActionID
	Name   string
	State  strips.StateID // expected after the action; -1 where it is not a known node
	Image  image.Image    // the nearest training image of State
	Shows  string         // what Image is, where that is none of State
}

// Timing is how long one part of the run took.
type Timing struct {
	Name    string
	Seconds float64
}

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
	// Images are right, wrong (a known state but another) or not recognized; WrongCertain are the
	// wrong ones that the classifier is certain of.
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
