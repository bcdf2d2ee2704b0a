package sdf

import (
	"errors"
	"fmt"
	"slices"

	"stripswm/nodes/sim"
	"stripswm/nodes/sim/scene"
)

// ErrFlat is returned for a world whose scenes are sheets.
var ErrFlat = errors.New("its images are flat and have no bodies that Gazebo could show")

// Files are the worlds that launch/worlds has a file of, for ROS 2's launch. World writes those of
// the others where Gazebo is asked for one.
var Files = []string{"blocksworld", "dinnertable", "dinnertablereal"}

// Worlds returns the names of the worlds that have bodies, sorted, with fine skills only.
func Worlds() []string {
	return slices.DeleteFunc(sim.Tables(), func(name string) bool {
		w, err := sim.New(name)
		if err == nil {
			_, err = solid(w, w.Initial(), scene.NewJitter(0, 0))
		}
		return errors.Is(err, ErrFlat)
	})
}

// solid returns the scene of a state, if it has bodies.
func solid(w sim.World, s sim.State, j *scene.Jitter) (*scene.Scene, error) {
	sc, err := w.Scene(s, j)
	if err == nil && sc.Sheet != nil {
		err = fmt.Errorf("world %s: %w", w.Name(), ErrFlat)
	}
	return sc, err
}
