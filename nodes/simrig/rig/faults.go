package rig

import (
	"errors"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// faults are what was injected and has not passed yet.
type faults struct {
	dropout, blackout bool
	fail, slip        int  // skills still to fail, to slip
	hand              bool // an object is to be moved when the skill has ended
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
func (r *Rig) FailNext() { r.inject(func(f *faults) { f.fail++ }) }

// SlipNext has the next applicable skill claim success and move nothing.
func (r *Rig) SlipNext() { r.inject(func(f *faults) { f.slip++ }) }

// Dropout takes the camera away, or brings it back.
func (r *Rig) Dropout(on bool) { r.inject(func(f *faults) { f.dropout = on }) }

// Blackout covers the camera, or uncovers it.
func (r *Rig) Blackout(on bool) { r.inject(func(f *faults) { f.blackout = on }) }

func (r *Rig) inject(change func(*faults)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.faults)
}

// ErrStuck is returned by MoveObject where no other arrangement is two skills away.
var ErrStuck = errors.New("no object can be moved from here")

// MoveObject moves an object by hand, as two skills would, to another state that
// was explored. While a skill runs it is put off until that has ended; then
// later is true.
func (r *Rig) MoveObject() (later bool, err error) {
	r.mu.Lock()
	if r.busy {
		r.faults.hand = true
		r.mu.Unlock()
		return true, nil
	}
	r.busy = true
	r.mu.Unlock()
	defer r.release()
	return false, r.shift()
}

// shift changes the world. The caller has claimed the scene.
func (r *Rig) shift() error {
	r.mu.Lock()
	from := r.state
	choices := r.twoStepsFrom(from)
	if len(choices) == 0 {
		r.mu.Unlock()
		return ErrStuck
	}
	to := choices[r.random.IntN(len(choices))]
	r.mu.Unlock()
	return r.place(to)
}

// place puts the world into a state and the camera's picture with it.
func (r *Rig) place(s sim.State) error {
	picture, err := r.render(s)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = s
	r.show.cut(picture)
	return nil
}

// twoStepsFrom lists the other states that two skills lead to, in an order that is
// always the same; only explored ones, where the state itself is.
func (r *Rig) twoStepsFrom(s sim.State) []sim.State {
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

func (r *Rig) stepsFrom(s sim.State) []sim.State {
	var found []sim.State
	for a := strips.ActionID(1); int(a) <= r.world.NumActions(); a++ {
		if t, ok := r.world.Apply(s, a); ok && (r.graph.Has(t) || !r.graph.Has(s)) {
			found = append(found, t)
		}
	}
	return found
}
