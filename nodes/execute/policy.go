package execute

import (
	"fmt"
	"time"
)

// Policy says what to do when the table is not as the model predicts. Where the
// model has several outcomes for a skill, each of them is expected: the skill is
// tried again, or a new plan made, as often as its odds ask for, and that counts
// against neither Retries nor Replans.
type Policy struct {
	// Replan allows new plans; otherwise the first difference that trying again
	// does not mend ends the execution.
	Replan bool
	// Replans is the most new plans of one execution.
	Replans int
	// Retries is how often a skill that left the table unchanged is tried again
	// before a plan is sought that does without it there.
	Retries int
	// MaxImages is the most images to look at until one is recognized, at least 1.
	MaxImages int
	// NearImages is how often in a row an execution goes on after a skill with an image that was not
	// recognized, but is near to what the skill should have left, or to what was there before it. A
	// goal that is only near is left and reached again, as no goal is claimed without an image.
	NearImages int
	// Age is how old the image may be that an execution begins with.
	Age time.Duration
	// Settle is the time between a skill's end and the image that shows its effect.
	Settle time.Duration
	// SkillTime is the longest time a skill may take; 0 is no limit.
	SkillTime time.Duration
	// FrameTime is the longest wait for one image; 0 is no limit.
	FrameTime time.Duration
}

// DefaultPolicy tries twice more, plans again up to ten times, looks at ten images, and goes on
// with three that are only near.
func DefaultPolicy() Policy {
	return Policy{
		Replan: true, Replans: 10, Retries: 2, MaxImages: 10, NearImages: 3,
		Age: 200 * time.Millisecond, Settle: 300 * time.Millisecond, SkillTime: time.Minute,
		FrameTime: 5 * time.Second,
	}
}

// Decision is what follows from an observation.
type Decision int

// The decisions.
const (
	Advance Decision = iota // as predicted: on with the plan
	Reached                 // the goal is seen
	Retry                   // unchanged: try the skill again
	Replan                  // different: plan from what is seen
	Leave                   // near the goal, not recognized: leave it, and come back
	GiveUp                  // stop
)

// String is the decision's name.
func (d Decision) String() string {
	return [...]string{"advance", "reached", "retry", "replan", "leave", "give up"}[d]
}

// Reason names why an execution ended short of its goal.
type Reason int

// The reasons.
const (
	Unsolvable   Reason = iota + 1 // proven: no plan in the learned model
	LimitReached                   // the search met a limit first
	Unrecognized                   // the images show no state the model knows
	NoFrame                        // no image came in time
	// a skill failed or had another effect, and the policy allows no more
	SkillFailed
)

// String is the reason's name.
func (r Reason) String() string {
	switch r {
	case Unsolvable:
		return "unsolvable"
	case LimitReached:
		return "limit reached"
	case Unrecognized:
		return "not recognized"
	case NoFrame:
		return "no camera image"
	case SkillFailed:
		return "skill failed"
	}
	return "unknown reason"
}

// Stop is the error of an execution that ended short of its goal for a reason
// that lies in the world or the model. Contexts that end and faults of the
// program are other errors.
type Stop struct {
	Reason Reason
	Detail string // what was seen, and what to do
	Err    error  // the cause, may be nil
}

func (s *Stop) Error() string {
	text := s.Reason.String()
	if s.Detail != "" {
		text += ": " + s.Detail
	}
	if s.Err != nil {
		text += ": " + s.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (s *Stop) Unwrap() error { return s.Err }

func stop(r Reason, format string, args ...any) *Stop {
	return &Stop{Reason: r, Detail: fmt.Sprintf(format, args...)}
}
