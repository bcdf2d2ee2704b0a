package node

import (
	"context"
	"fmt"

	"stripswm/msgs"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/workcell"
)

// stage is what has the rig's state before a camera: the rig itself, or a Gazebo.
type stage interface {
	// show brings it up to date and returns when images show the state.
	show(ctx context.Context, s sim.State) error
	// ready says why nothing can be shown; a skill fails then before it moves anything.
	ready() error
	// newGoal draws a goal, and has an image of it.
	newGoal() (text string, img *msgs.Image, err error)
	// health is a diagnostic level, message and values, from counts a second ago and now.
	health(before, now workcell.TickCount) (level uint8, message string, values []msgs.KeyValue)
}

// show has the stage show the state as it is now.
func (r *Node) show() error {
	state, _ := r.cell.State()
	return r.stage.show(r.node.Context(), state)
}

// own is the rig's own camera, which sees the state as it is.
type own struct{ rig *Node }

func (own) show(context.Context, sim.State) error { return nil }

func (own) ready() error { return nil }

func (o own) newGoal() (string, *msgs.Image, error) {
	state, text, img, err := o.rig.cell.NewGoal()
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("%d %s", state, text), o.rig.image(img), nil
}
