package msgs

import "fmt"

// Outcome says how an attempt of a skill ended, by the values that Transition and
// ExecuteSkill share.
type Outcome uint8

// The outcomes.
const (
	Succeeded = Outcome(TransitionSucceeded)
	Refused   = Outcome(TransitionRefused) // not applicable: the world was left as it was
	Failed    = Outcome(TransitionFailed)  // the result is unknown
)

// String returns "succeeded", "refused" or "failed".
func (o Outcome) String() string {
	switch o {
	case Succeeded:
		return "succeeded"
	case Refused:
		return "refused"
	case Failed:
		return "failed"
	}
	return fmt.Sprintf("outcome %d", uint8(o))
}

// OutcomeCounts says how many attempts ended in which way.
func OutcomeCounts(succeeded, refused, failed int) string {
	return fmt.Sprintf("%d %s, %d %s, %d %s", succeeded, Succeeded, refused, Refused, failed, Failed)
}
