package node

import (
	"fmt"

	"stripswm/nodes/ros"
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
