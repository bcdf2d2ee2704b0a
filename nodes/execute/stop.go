package execute

import "fmt"

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
		return "not recognised"
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
