package node

import (
	"fmt"

	"stripswm/nodes/ros"
	"stripswm/nodes/simrig/rig"
)

// frameID is the camera's optical frame.
const frameID = "camera_optical_frame"

// A Node is a camera and a skill executor. It ends with its ros.Node.
type Node struct {
	node     *ros.Node
	rig      *rig.Rig
	settings settings
	status   *statusLine
	ticks    rig.Ticks // of the camera
	gazebo   *gazebo   // nil if the rig has a camera of its own
}

// New declares the parameters, makes the endpoints and begins to publish.
func New(n *ros.Node) (*Node, error) {
	s, err := declareAll(n)
	if err != nil {
		return nil, err
	}
	cell, err := s.rig()
	if err != nil {
		return nil, fmt.Errorf("world %s: %w", s.world, err)
	}
	r := &Node{node: n, rig: cell, settings: s}
	eyes := []func() error{r.openCamera, r.openDiagnostics}
	if s.gazebo {
		eyes = []func() error{r.openGazebo}
	}
	for _, open := range append(eyes, r.openStatus, r.openFaults, r.openGoals, r.openSkills) {
		if err := open(); err != nil {
			return nil, err
		}
	}
	return r, nil
}
