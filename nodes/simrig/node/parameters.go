package node

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"stripswm/nodes/ros"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/gazebo"
	"stripswm/nodes/sim/workcell"
)

// The values of world_backend.
const (
	ownBackend     = "sim"
	bridgedBackend = "ros_gz"
	classicBackend = "gazebo"
)

// settings are the node's parameters. Those that are pointers change at run time.
type settings struct {
	world, skills string
	states        string
	backend       string // of stage
	master        string // of Gazebo classic
	seed          int64
	width, height int64
	rate          float64
	nuisance      float64
	noise         float64
	quality       int64

	skill, settling, fail, slip, move, delay *ros.Parameter[float64]
}

func declareAll(n *ros.Node) (settings, error) {
	var s settings
	var failed error
	check := func(err error) {
		if failed == nil {
			failed = err
		}
	}
	number := func(name string, value, low, high float64, text string) *ros.Parameter[float64] {
		p, err := ros.Declare(n, name, value, ros.Describe[float64]{Text: text, Min: low, Max: high})
		check(err)
		return p
	}
	s.skill = number("skill_duration", 1, 0, 3600,
		"seconds that a skill takes; a tenth if it is refused")
	s.settling = number("settling", 0.2, 0, 60,
		"seconds that the scene moves on after a skill has ended")
	s.fail = number("fail_probability", 0, 0, 1, "that a skill fails, says so and moves nothing")
	s.slip = number("slip_probability", 0, 0, 1, "that a skill claims success and has moved nothing")
	s.move = number("move_probability", 0, 0, 1, "that an object is moved by hand after a skill")
	s.delay = number("status_delay", 0, 0, 60, "seconds by which skill statuses are sent late")
	if failed != nil {
		return s, failed
	}
	fix(n, &s.world, "world", "blocksworld", "to simulate: "+strings.Join(sim.Names(), ", "), 0, 0,
		check)
	fix(n, &s.skills, "skills", "",
		"fixed: a skill always does the same; state-dependent: its effect depends on the state; empty: "+
			"by the name of the world", 0, 0, check)
	fix(n, &s.states, "states", "explored", "explored: the states of the paper's data set; all: "+
		"those that the skills reach", 0, 0, check)
	if s.states != "explored" && s.states != "all" {
		check(fmt.Errorf("parameter states is %q; choose explored or all", s.states))
	}
	fix(n, &s.backend, "world_backend", ownBackend,
		"what shows the world. sim: the rig's own images; gazebo: Gazebo classic, over its transport; "+
			"ros_gz: a later Gazebo behind ros_gz_bridge, which publishes the images", 0, 0, check)
	if !slices.Contains([]string{ownBackend, bridgedBackend, classicBackend}, s.backend) {
		check(fmt.Errorf("parameter world_backend is %q; choose sim, gazebo or ros_gz", s.backend))
	}
	fix(n, &s.master, "gazebo_master", cmp.Or(os.Getenv("GAZEBO_MASTER_URI"), gazebo.DefaultMaster),
		"with world_backend gazebo, its master", 0, 0, check)
	fix(n, &s.seed, "seed", 1, "of nuisance, faults and goals, and of the states explored", 0, 0,
		check)
	fix(n, &s.width, "width", 128, "of images, pixels", camera.MinSize, camera.MaxSize, check)
	fix(n, &s.height, "height", 128, "of images, pixels", camera.MinSize, camera.MaxSize, check)
	fix(n, &s.rate, "rate", 30, "images a second", 0.1, 1000, check)
	fix(n, &s.nuisance, "nuisance", 1, "strength of placement, light and sensor nuisance; 0 none", 0,
		4, check)
	fix(n, &s.noise, "noise", 1, "standard deviation of each frame's fresh noise, grey levels", 0, 50,
		check)
	fix(n, &s.quality, "jpeg_quality", 90, "of compressed images", 1, 100, check)
	return s, failed
}

// fix declares a parameter that does not change.
func fix[T ros.ParamType](n *ros.Node, field *T, name string, value T, text string, low,
	high float64, check func(error),
) {
	p, err := ros.Declare(n, name, value, ros.Describe[T]{Text: text, ReadOnly: true, Min: low,
		Max: high})
	if check(err); err == nil {
		*field = p.Get()
	}
}

// simulated is the world with the skills and states that were asked for.
func (s *settings) simulated() (*sim.World, error) {
	w, err := sim.NewSkilled(s.world, s.skills)
	if err == nil && s.states == "all" {
		w = sim.Whole(w)
	}
	return w, err
}

// cell makes the workcell.
func (s *settings) cell() (*workcell.Cell, error) {
	world, err := s.simulated()
	if err != nil {
		return nil, err
	}
	c := camera.New(int(s.width), int(s.height))
	c.Strength = s.nuisance
	return workcell.New(workcell.Options{World: world, Camera: c, Seed: uint64(s.seed), Noise: s.noise,
		Tuning: s.tuning()})
}

func (s *settings) tuning() workcell.Tuning {
	return workcell.Tuning{Skill: seconds(s.skill), Settling: seconds(s.settling), Fail: s.fail.Get(),
		Slip: s.slip.Get(), Move: s.move.Get()}
}

func seconds(p *ros.Parameter[float64]) time.Duration {
	return time.Duration(p.Get() * float64(time.Second))
}
