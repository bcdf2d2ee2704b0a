package explorebench

import (
	"context"

	"stripswm/bags"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/cvbridge"
	"stripswm/nodes/exploration"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
)

// Robot is a simulated one: its attempts take no time, and a person puts its scene back into the
// initial state.
type Robot struct {
	World sim.World
	Rig   *record.Rig
}

// Try attempts a skill.
func (r Robot) Try(_ context.Context, a strips.ActionID) (exploration.ImageAttempt, error) {
	before, after, ok, err := r.Rig.Try(a)
	if err != nil {
		return exploration.ImageAttempt{}, err
	}
	attempt := exploration.ImageAttempt{Action: a, Outcome: bags.Refused}
	if ok {
		attempt.Outcome = bags.Succeeded
	}
	if attempt.Before, err = cvbridge.Part(before, pixels.Camera{}); err != nil {
		return attempt, err
	}
	attempt.After, err = cvbridge.Part(after, pixels.Camera{})
	return attempt, err
}

// Reset puts the scene into its initial state.
func (r Robot) Reset(context.Context, string) error {
	r.Rig.Reset(r.World.Initial())
	return nil
}
