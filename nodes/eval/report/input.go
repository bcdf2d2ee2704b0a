package report

import (
	"image"
	"slices"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/models/vision"
	"stripswm/nodes/eval"
)

// Input is everything a report can show. Each field may be empty: its section is then left out.
type Input struct {
	Domain  string
	Preset  string
	Seed    uint64
	Command string // that reproduces the run
	// Versions of the programs that made the run.
	Versions []Fact

	Facts       *Facts // where facts were learned, and no task graph
	Objects     []byte // the objects that facts are of, a JPEG file
	Table       *eval.Abstraction
	Paper       *eval.Abstraction // the paper's row for this domain, to compare with
	Graph       *taskgraph.Graph
	Merged      []string            // what was merged and why, a line each
	Diagnostics []Diagnostic        // where what was learned cannot be right
	Branches    []string            // which (state, action) have several outcomes, a line each
	States      []StateImages       // by strips.StateID
	Stage1      []vision.Evaluation // by step
	Selected    int                 // step of the checkpoint of stage 1 that was kept; 0: not known
	Model       *strips.Model
	Stage3      []vision.ClassifierPoint // by step
	eval.Report                          // the run's own method first in Ablation
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

// StateImages is a learned state as the camera saw it.
type StateImages struct {
	Support int    // training images of this state
	Code    string // its latent code
	Images  []image.Image
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

// Recorded says that the ground truth is what a recording says: there is no world to execute plans
// in.
func (in *Input) Recorded() bool { return in.Ground != nil }

// tampered are the kinds of images of states that were tampered with.
func (in *Input) tampered() []eval.OutOfDistribution {
	if in.Faulty == nil {
		return in.Corrupted
	}
	return slices.Concat(in.Corrupted, in.Faulty.Faults)
}
