package workcell

import (
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"sync"
	"time"

	"stripswm/models/strips"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
)

// ErrBusy is returned by Begin while a skill runs.
var ErrBusy = errors.New("another skill is running")

// Options of a Cell.
type Options struct {
	World  *sim.World
	Camera camera.Camera
	Seed   uint64  // of nuisance, faults and goals; and of the states explored, as in sim.Explored
	Noise  float64 // standard deviation of the fresh noise of each frame, grey levels
	Tuning Tuning
}

// Tuning is what may change while the cell runs.
type Tuning struct {
	Skill    time.Duration // that a skill takes; a tenth of it if refused
	Settling time.Duration // that the scene goes on moving after a skill has ended
	Fail     float64       // probability that a skill fails and says so
	Slip     float64       // probability that a skill claims success and has moved nothing
	Move     float64       // probability that an object is moved by hand after a skill
}

// A Cell is the cell. Its methods may be called from several goroutines.
type Cell struct {
	world  *sim.World
	graph  *sim.Graph
	camera camera.Camera
	seed   uint64
	noise  *noise

	scene sync.Mutex // held, before mu, while images are made that change what the camera sees

	mu      sync.Mutex
	tuning  Tuning
	random  *rand.Rand
	state   sim.State
	goal    sim.State
	aimed   bool       // goal was set
	running *Execution // nil while no skill runs
	faults  faults
	renders uint64
	frames  uint64
	show    show
}

// Streams keep the random numbers of one seed apart.
const (
	streamNoise  = 0x0153  // noise of the camera
	streamFaults = 0x51319 // faults of skills, and goals
)

// New makes a cell in the world's initial state.
func New(o Options) (*Cell, error) {
	graph, err := sim.Explored(o.World, o.Seed)
	if err != nil {
		return nil, err
	}
	r := &Cell{world: o.World, graph: graph, camera: o.Camera, seed: o.Seed,
		noise: newNoise(o.Seed, o.Noise), tuning: o.Tuning,
		random: rand.New(rand.NewPCG(o.Seed, streamFaults)), state: o.World.Initial()}
	img, err := r.render(r.state)
	if err != nil {
		return nil, err
	}
	r.show.cut(img)
	return r, nil
}

// render photographs a state with nuisance that no training image has.
func (r *Cell) render(s sim.State) (*image.RGBA, error) {
	r.mu.Lock()
	i := r.renders
	r.renders++
	r.mu.Unlock()
	return r.camera.Render(r.world, s, record.EvaluationSeed(r.seed, i))
}

// Tune changes the tuning.
func (r *Cell) Tune(change func(*Tuning)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.tuning)
}

// State is the truth, and Describe says it in words.
func (r *Cell) State() (sim.State, string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state, r.world.Describe(r.state)
}

// Busy reports whether a skill would be refused with ErrBusy.
func (r *Cell) Busy() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.running != nil
}

// Frame writes what the camera shows at a time into dst, rgb8, Width x Height x 3
// bytes. It returns false while the camera is away.
func (r *Cell) Frame(dst []byte, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frames++
	if sees, covered := r.sight(dst); !sees || covered {
		return sees
	}
	r.noise.add(dst, r.frames, r.show.image(now))
	return true
}

// Capture is Frame for an image that another camera took: that of a covered camera is black.
func (r *Cell) Capture(img []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	sees, _ := r.sight(img)
	return sees
}

// sight says whether the camera is there, and whether it is covered.
func (r *Cell) sight(img []byte) (sees, covered bool) {
	if r.faults.blackout {
		clear(img)
	}
	return !r.faults.dropout, r.faults.blackout
}

// describe names an action for people.
func (r *Cell) describe(a strips.ActionID) string {
	if a < 1 || int(a) > r.world.NumActions() {
		return fmt.Sprintf("action %d; %s has actions 1 to %d", a, r.world.Name(), r.world.NumActions())
	}
	return fmt.Sprintf("action %d, %s", a, r.world.ActionName(a))
}
