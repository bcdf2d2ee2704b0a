package workcell

import (
	"errors"
	"image"
	"slices"

	"stripswm/nodes/sim"
)

// ErrNoGoal is returned by GoalReached before a goal was set.
var ErrNoGoal = errors.New("no goal was set; ask for a new one first")

// NewGoal draws a state that the explored skills reach from here, other than
// this one, and returns it in words and as an image.
func (r *Cell) NewGoal() (sim.State, string, *image.RGBA, error) {
	goal, text, err := r.DrawGoal()
	if err != nil {
		return 0, "", nil, err
	}
	img, err := r.render(goal)
	return goal, text, img, err
}

// DrawGoal is NewGoal without an image.
func (r *Cell) DrawGoal() (sim.State, string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	distances := r.graph.Distances(r.state)
	var choices []sim.State
	for s, d := range distances {
		if d > 0 {
			choices = append(choices, s)
		}
	}
	if len(choices) == 0 {
		return 0, "", errors.New("no other explored state is reached from here; reset the cell")
	}
	slices.Sort(choices)
	r.goal, r.aimed = choices[r.random.IntN(len(choices))], true
	return r.goal, r.world.Describe(r.goal), nil
}

// GoalReached reports whether the world is in the goal state.
func (r *Cell) GoalReached() (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.aimed {
		return false, ErrNoGoal
	}
	return r.state == r.goal, nil
}

// Reset puts the world into its initial state and clears faults and goal. A
// skill that runs fails.
func (r *Cell) Reset() error {
	r.scene.Lock()
	defer r.scene.Unlock()
	r.mu.Lock()
	r.faults, r.aimed = faults{}, false
	if e := r.running; e != nil {
		e.undo("the cell was reset")
	}
	r.mu.Unlock()
	return r.place(r.world.Initial())
}
