package node

import (
	"fmt"
	"time"

	"stripswm/models/exploration"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/camera"
	"stripswm/nodes/ros"
)

// settings are the node's parameters. All are read once.
type settings struct {
	labels    []string // of actions 1, 2, ...; nil takes what the recording says
	options   exploration.Options
	budget    int
	time      time.Duration
	coverage  float64
	rate      time.Duration // least time between the begin of two attempts
	skill     time.Duration // longest
	bag       string
	camera    pixels.Camera
	transport camera.Transport
}

func declareAll(n *ros.Node) (s settings, err error) {
	d := &ros.Settings{Node: n}
	names := ros.Setting(d, "names", []string{}, "of the actions 1, 2, ..., for people")
	actions := ros.Setting(d, "actions", int64(0),
		"number of actions L; 0 takes that of names, or of the recording's names", 0, 1e6)
	excluded := ros.Setting(d, "excluded_actions", []int64{}, "ids of actions that are never tried")
	s.budget = int(ros.Setting(d, "budget", int64(0),
		"attempts to make, those recorded before among them; 0: no limit", 0, 1e9))
	limit := ros.Setting(d, "time_limit", 0.0, "seconds to begin attempts in; 0: no limit", 0, 1e9)
	s.coverage = ros.Setting(d, "target_coverage", 0.95,
		"expected share of the pairs of states with a plan, to stop at", 0, 1)
	rate := ros.Setting(d, "rate", 0.0, "most attempts a minute; 0: no limit", 0, 1e6)
	longest := ros.Setting(d, "skill_timeout", 60.0, "longest a skill may take, seconds; 0: no limit",
		0, 1e6)
	s.bag = ros.Setting(d, "bag", "", "the recorder's directory, to go on from what is recorded there")
	told := camera.Declare(d, "takes what the recording in bag says")
	s.transport, s.camera = told.Transport, told.Camera
	if d.Err != nil {
		return s, d.Err
	}
	s.time, s.skill = seconds(limit), seconds(longest)
	if rate > 0 {
		s.rate = seconds(60 / rate)
	}
	for _, a := range excluded {
		s.options.Excluded = append(s.options.Excluded, strips.ActionID(a))
	}
	if s.labels, err = labels(names, int(actions)); err != nil {
		return s, err
	}
	if len(s.labels) > 0 {
		if _, err := exploration.New(len(s.labels), s.options); err != nil {
			return s, fmt.Errorf("the parameter excluded_actions: %w", err)
		}
	}
	return s, nil
}

// labels are the names that are given, or so many of our own; nil if neither is.
func labels(names []string, actions int) ([]string, error) {
	switch {
	case len(names) > 0 && actions > 0 && len(names) != actions:
		return nil, fmt.Errorf("the parameter names has %d actions, and actions is %d: set one of them",
			len(names), actions)
	case len(names) > 0 || actions == 0:
		return names, nil
	}
	for a := range actions {
		names = append(names, fmt.Sprintf("action_%d", a+1))
	}
	return names, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
