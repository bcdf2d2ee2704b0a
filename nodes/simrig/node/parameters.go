package node

import (
	"cmp"
	"os"
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
	d := &ros.Settings{Node: n}
	return settings{
		skill: ros.Dial(d, "skill_duration", 1.0,
			"seconds that a skill takes; a tenth if it is refused", 0, 3600),
		settling: ros.Dial(d, "settling", 0.2,
			"seconds that the scene moves on after a skill has ended", 0, 60),
		fail: ros.Dial(d, "fail_probability", 0.0, "that a skill fails, says so and moves nothing", 0, 1),
		slip: ros.Dial(d, "slip_probability", 0.0, "that a skill claims success and has moved nothing",
			0, 1),
		move: ros.Dial(d, "move_probability", 0.0, "that an object is moved by hand after a skill",
			0, 1),
		delay: ros.Dial(d, "status_delay", 0.0, "seconds by which skill statuses are sent late", 0, 60),
		world: ros.Setting(d, "world", "blocksworld", "to simulate: "+strings.Join(sim.Names(), ", ")),
		skills: ros.Setting(d, "skills", "", "fixed: a skill always does the same; state-dependent: its "+
			"effect depends on the state; empty: by the name of the world"),
		states: ros.ChoiceSetting(d, "states", "explored", "explored: the states of the paper's data "+
			"set; all: those that the skills reach", "explored", "all"),
		backend: ros.ChoiceSetting(d, "world_backend", ownBackend, "what shows the world. sim: the "+
			"rig's own images; gazebo: Gazebo classic, over its transport; ros_gz: a later Gazebo behind "+
			"ros_gz_bridge, which publishes the images", ownBackend, bridgedBackend, classicBackend),
		master: ros.Setting(d, "gazebo_master", cmp.Or(os.Getenv("GAZEBO_MASTER_URI"),
			gazebo.DefaultMaster), "with world_backend gazebo, its master"),
		seed: ros.Setting(d, "seed", int64(1),
			"of nuisance, faults and goals, and of the states explored"),
		width:  ros.Setting(d, "width", int64(128), "of images, pixels", camera.MinSize, camera.MaxSize),
		height: ros.Setting(d, "height", int64(128), "of images, pixels", camera.MinSize, camera.MaxSize),
		rate:   ros.Setting(d, "rate", 30.0, "images a second", 0.1, 1000),
		nuisance: ros.Setting(d, "nuisance", 1.0,
			"strength of placement, light and sensor nuisance; 0 none", 0, 4),
		noise: ros.Setting(d, "noise", 1.0,
			"standard deviation of each frame's fresh noise, grey levels", 0, 50),
		quality: ros.Setting(d, "jpeg_quality", int64(90), "of compressed images", 1, 100),
	}, d.Err
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
