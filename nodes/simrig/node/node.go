package node

import (
	"context"
	"fmt"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/workcell"
)

// frameID is the camera's optical frame.
const frameID = "camera_optical_frame"

// A Node is a camera and a skill executor. It ends with its ros.Node.
type Node struct {
	node     *ros.Node
	cell     *workcell.Cell
	settings settings
	status   *statusLine
	ticks    workcell.Ticks // of the camera
	stage    stage
}

// New declares the parameters, makes the endpoints and begins to publish.
func New(n *ros.Node) (*Node, error) {
	s, err := declareAll(n)
	if err != nil {
		return nil, err
	}
	n.WarnUndeclared()
	cell, err := s.cell()
	if err != nil {
		return nil, fmt.Errorf("world %s: %w", s.world, err)
	}
	r := &Node{node: n, cell: cell, settings: s}
	r.stage = own{r}
	backends := map[string][]func() error{
		ownBackend:     {r.openCamera, r.openDiagnostics},
		bridgedBackend: {r.openDiagnostics, r.openBridged},
		classicBackend: {r.openDiagnostics, r.openClassic},
	}[s.backend]
	for _, open := range append(backends, r.openStatus, r.openFaults, r.openGoals, r.openSkills) {
		if err := open(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

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

func (own) health(before, now workcell.TickCount) (level uint8, message string,
	values []msgs.KeyValue) {
	values = []msgs.KeyValue{{Key: "ticks skipped", Value: fmt.Sprint(now.Skipped)}}
	if now.Skipped > before.Skipped {
		return msgs.DiagnosticStatusWarn, "ticks were skipped: the machine is too busy for the rate",
			values
	}
	return msgs.DiagnosticStatusOk, "in time", values
}

// openDiagnostics tells once a second how the camera does.
func (r *Node) openDiagnostics() error {
	var before workcell.TickCount
	return r.node.Diagnose("camera", func(_ time.Time, status *msgs.DiagnosticStatus) {
		count := r.ticks.Count()
		status.Level, status.Message, status.Values = r.stage.health(before, count)
		status.Add("images published", "%d", count.Sent)
		before = count
	})
}
