package traces

import "stripswm/models/strips"

// DefaultSupport finds a parcel that is in a vehicle, which five places load and unload. Facts that
// more actions change are found as unions of others, or not at all: a world ten times as large
// needs a larger support, which costs time only where there are such facts.
const DefaultSupport = 10

// DefaultSteps is a bound of about ten seconds for each stage. The worlds of the benchmark use less
// than a tenth; a world ten times as large may need ten times as much.
const DefaultSteps = 1_000_000_000

// MaxActions bounds the actions of a robot.
const MaxActions = 1 << 16

// Options say how far to search.
type Options struct {
	Support int // the largest number of actions of a mined fact; 0 is DefaultSupport
	Steps   int // of each [Stage]; 0 is DefaultSteps
	// Variants has the skill of each id beyond those of the robot: successes of a skill that change
	// images in several ways are attempts of several ids, its own and some of these. Where one of
	// them succeeds the others are taken to be refused.
	Variants []strips.ActionID
	// Shown are facts that images show. Those that the attempts show as well are found once.
	Shown []Shown
	// Ended is asked now and then whether to give up, and why, such as a context's Err; may be nil.
	Ended func() error
}

// Shown is a fact that images show: some actions make it true and others make it false, whatever it
// was before. It need not alternate: an object that is moved to one place is there, and one that is
// moved to another place is not, wherever it was.
type Shown struct {
	Set, Clear []strips.ActionID
	// Doubt are actions of which nobody knows whether they make it false where it is true: the model
	// uses them where it is false.
	Doubt []strips.ActionID
	Nats  float64 // evidence of the images
	// Variable is what shows it, such as a place, from 1: at most one of its facts holds. 0: nobody
	// knows.
	Variable int
	// Values are what images show, by segment and attempt: before and after it. Nil: they show nothing
	// but what the actions do.
	Values [][][2]Value
}

// Stage is a part of learning that ends early where its steps are used up.
type Stage string

// The stages.
const (
	Mining        Stage = "mining"        // facts that more actions change are missing
	Reduction     Stage = "reduction"     // facts that follow from others are left in
	Unions        Stage = "unions"        // derived predicates are missing
	Choice        Stage = "choice"        // facts and derived predicates are missing
	Preconditions Stage = "preconditions" // actions have those of the facts that they change only
)
