package execute

import (
	"context"
	"time"

	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/msgs"
)

// Observation is what an image shows.
type Observation struct {
	Stamp         time.Time // of the image, by the camera's clock
	Taken         time.Time // at the earliest, by the executor's Clock
	Code          strips.State
	Probabilities []float32          // of each predicate, length m
	Node          strips.StateID     // the known state with this code, -1 for none
	Uncertain     []strips.Predicate // predicates whose value may be wrong
	// Reason is why the image was not recognized; empty if it was.
	Reason string
	// Where an image is farthest from what was recorded, if it was not recognized or somebody has
	// confirmed what looks unlike that; zero: nowhere, or not known.
	Where pixels.Region
	// Near says of an image that was not recognized that Code is the most likely state, and that the
	// image is little farther than the limit from what that looks like.
	Near bool
}

// Recognized says whether the image shows a state to act on.
func (o Observation) Recognized() bool { return o.Reason == "" }

// Recognizer looks at the table. Observe waits for an image that was surely taken at or after a
// time by the executor's Clock, and says what it shows; an error means that there was none.
type Recognizer interface {
	Observe(ctx context.Context, notBefore time.Time) (Observation, error)
}

// Outcome is how a skill says that it ended.
type Outcome = msgs.Outcome

// The outcomes.
const (
	Succeeded = msgs.Succeeded
	Refused   = msgs.Refused // not applicable, nothing was moved
	Failed    = msgs.Failed  // the result is unknown
)

// Report is what a skill says of its execution.
type Report struct {
	Outcome Outcome
	Message string // for people
}

// Skills execute one action at a time. Execute returns when the skill has ended;
// an error means that the executor could not be asked or did not answer. When ctx
// ends, it stops the skill and returns at once.
type Skills interface {
	Execute(ctx context.Context, a strips.ActionID) (Report, error)
}

// Search finds plans that use no action of avoid in its state. Return finds one that leaves a state
// and ends in the goal. It prefers to go back to the state before.
type Search interface {
	Find(ctx context.Context, start strips.State, goal strips.Goal, avoid []StateAction) (
		planner.Result, error)
	Return(ctx context.Context, at, before strips.State, goal strips.Goal, avoid []StateAction) (
		planner.Result, error)
}

// StateAction is an action tried in a state.
type StateAction struct {
	State  strips.State
	Action strips.ActionID
}

// Clock tells the time: what orders skills and images, whatever they are stamped.
type Clock interface{ Now() time.Time }
