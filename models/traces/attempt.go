package traces

import "stripswm/models/strips"

// Outcome says how an attempt ended. The values are those of the messages.
type Outcome uint8

// The outcomes.
const (
	Succeeded Outcome = 1 + iota // the world changed as the skill changes it
	Refused                      // the skill did not apply, nothing moved
	Failed                       // the result is unknown
)

// Attempt is one execution of a skill.
type Attempt struct {
	Action  strips.ActionID
	Outcome Outcome
	// With is 0, or another action: somebody changed the scene as successes of both do together. A
	// fact that both change is as before, since something was in the gripper for a moment only.
	With strips.ActionID
}
