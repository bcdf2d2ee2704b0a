package workcell

import (
	"errors"

	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/sim"
)

// faults are what was injected and has not passed yet.
type faults struct {
	dropout, blackout bool
	fail, slip        int // skills still to fail, to slip
}

// take uses up one fault of a kind.
func take(left *int) bool {
	if *left == 0 {
		return false
	}
	*left--
	return true
}

// FailNext has the next applicable skill fail and say so.
func (r *Cell) FailNext() { r.inject(func(f *faults) { f.fail++ }) }

// SlipNext has the next applicable skill claim success and move nothing.
func (r *Cell) SlipNext() { r.inject(func(f *faults) { f.slip++ }) }

// Dropout takes the camera away, or brings it back.
func (r *Cell) Dropout(on bool) { r.inject(func(f *faults) { f.dropout = on }) }

// Blackout covers the camera, or uncovers it.
func (r *Cell) Blackout(on bool) { r.inject(func(f *faults) { f.blackout = on }) }

func (r *Cell) inject(change func(*faults)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.faults)
}

// ErrStuck is returned by MoveObject where no other arrangement is two skills away.
var ErrStuck = errors.New("no object can be moved from here")

// MoveObject moves an object by hand, as two skills would, to another state that
// was explored. While a skill runs, the skill goes on from there if it still can,
// and fails otherwise.
func (r *Cell) MoveObject() error {
	r.scene.Lock()
	defer r.scene.Unlock()
	return r.shift()
}

// shift changes the world. The caller holds the scene.
func (r *Cell) shift() error {
	r.mu.Lock()
	choices := r.twoStepsFrom(r.state)
	if len(choices) == 0 {
		r.mu.Unlock()
		return ErrStuck
	}
	to := choices[r.random.IntN(len(choices))]
	r.mu.Unlock()
	return r.place(to)
}

// place puts the world into a state, and the camera's image with it. The caller
// holds the scene.
func (r *Cell) place(s sim.State) error {
	img, err := r.render(s)
	if err != nil {
		return err
	}
	r.mu.Lock()
	e := r.running
	moves := e != nil && !e.undone && e.next != r.state
	r.mu.Unlock()
	next, can := s, false
	if moves {
		next, can = r.onFrom(s, e.Action)
	}
	after := img
	if can {
		if after, err = r.render(next); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = s
	if e != nil {
		e.next = next
	}
	if moves && !can {
		e.Outcome, e.Note = msgs.ExecuteSkillResultFailed, "an object was moved while the skill ran"
	}
	r.show.change(img, after)
	return nil
}

// onFrom is where a skill that runs leads from a state that it finds itself in.
func (r *Cell) onFrom(s sim.State, a strips.ActionID) (sim.State, bool) {
	next, ok := r.world.Apply(s, a)
	if !ok || r.graph.Has(s) && !r.graph.Has(next) {
		return s, false
	}
	return next, true
}

// twoStepsFrom lists the other states that two skills lead to, in an order that is
// always the same; only explored ones, where the state itself is.
func (r *Cell) twoStepsFrom(s sim.State) []sim.State {
	var found []sim.State
	listed := map[sim.State]bool{s: true}
	for _, t := range r.stepsFrom(s) {
		for _, u := range r.stepsFrom(t) {
			if !listed[u] {
				listed[u] = true
				found = append(found, u)
			}
		}
	}
	return found
}

func (r *Cell) stepsFrom(s sim.State) []sim.State {
	var found []sim.State
	for a := strips.ActionID(1); int(a) <= r.world.NumActions(); a++ {
		if t, ok := r.world.Apply(s, a); ok && (r.graph.Has(t) || !r.graph.Has(s)) {
			found = append(found, t)
		}
	}
	return found
}
