package record

import (
	"errors"
	"fmt"
	"slices"

	"stripswm/bags"
	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

// Rig is a simulated robot whose attempts somebody else chooses, with a camera and a bag in which
// each is kept when it is over. As on a real table, things stay where they were put, and so does
// the light: only the sensor's noise differs between images of a scene that nobody changed.
type Rig struct {
	world    *sim.World
	cam      camera.Camera
	recorder *recorder
	state    sim.State
	setUp    uint64 // the seed of how the scene is set up
	attempts int
	looks    uint64
	reset    bool
	visited  []sim.State // as they were first seen
}

// Image is what the camera showed.
type Image = *msgs.CompressedImage

// OpenRig begins in the world's initial state with a new recording in dir. Of the options, those of
// the policy mean nothing.
func OpenRig(w *sim.World, dir string, o Options) (*Rig, error) {
	r, err := newRecorder(dir, o, 1)
	if err != nil {
		return nil, err
	}
	// Who goes on after a kill finds what it is of.
	if err := errors.Join(r.about(w, bags.Simulation{}), r.bag.Sync()); err != nil {
		return nil, errors.Join(err, r.bag.Close())
	}
	return newRig(w, r), nil
}

func newRig(w *sim.World, r *recorder) *Rig {
	cam := camera.New(r.options.Size, r.options.Size)
	cam.Strength = r.options.Nuisance
	return &Rig{world: w, cam: cam, recorder: r, state: w.Initial(), setUp: Seed(r.options.Seed, 0, 0),
		visited: []sim.State{w.Initial()}}
}

// Try attempts a skill, and says whether it was accepted.
func (r *Rig) Try(a strips.ActionID) (before, after Image, ok bool, err error) {
	step, setUps, err := r.step(a)
	if err != nil {
		return nil, nil, false, err
	}
	s, err := photograph(r.cam, r.world, step, uint64(r.attempts), setUps, r.recorder.options)
	if err != nil {
		return nil, nil, false, err
	}
	if err := r.recorder.write(s); err != nil {
		return nil, nil, false, err
	}
	r.leave(step, setUps)
	return s.before, s.after, step.OK, nil
}

// Look photographs the scene, or one that was set up in another state. Nothing is recorded.
func (r *Rig) Look(s sim.State) (Image, error) {
	r.looks++
	seed := EvaluationSeed(r.recorder.options.Seed, r.looks)
	setUp := r.setUp
	if s != r.state {
		setUp = seed
	}
	img, err := r.cam.RenderAgain(r.world, s, setUp, seed)
	if err != nil {
		return nil, err
	}
	return msgs.NewJPEG(msgs.Header{FrameID: frameID}, img, r.recorder.options.Quality)
}

// State is the true state of the scene.
func (r *Rig) State() sim.State { return r.state }

// step is what an attempt does, and the seeds of how the scenes before and after it are set up.
func (r *Rig) step(a strips.ActionID) (sim.Step, [2]uint64, error) {
	if a < 1 || int(a) > r.world.NumActions() {
		return sim.Step{}, [2]uint64{}, fmt.Errorf("action %d is outside 1..%d", a, r.world.NumActions())
	}
	step := sim.Step{State: r.state, Action: a, Next: r.state, Reset: r.reset}
	setUps := [2]uint64{r.setUp, r.setUp}
	if next, accepted := r.world.Apply(r.state, a); accepted {
		step.Next, step.OK = next, true
		setUps[1] = Seed(r.recorder.options.Seed, uint64(r.attempts), 1)
	}
	return step, setUps, nil
}

// leave has the scene be as an attempt left it.
func (r *Rig) leave(step sim.Step, setUps [2]uint64) {
	r.attempts++
	r.reset, r.setUp = false, setUps[1]
	r.enter(step.Next)
}

// Reset puts the scene into a state, and has the recording say so.
func (r *Rig) Reset(s sim.State) {
	r.reset, r.setUp = true, Seed(r.recorder.options.Seed, uint64(r.attempts), 0)
	r.enter(s)
}

func (r *Rig) enter(s sim.State) {
	r.state = s
	if !slices.Contains(r.visited, s) {
		r.visited = append(r.visited, s)
	}
}

// Visited are the states that the rig was in, in the order in which it first was.
func (r *Rig) Visited() []sim.State { return r.visited }

// Attempts is how many were made.
func (r *Rig) Attempts() int { return r.attempts }

// Close closes the recording.
func (r *Rig) Close() error { return r.recorder.bag.Close() }
