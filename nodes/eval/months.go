package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"time"

	"stripswm/models/facts"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/execute"
	"stripswm/nodes/learn"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/record"
	"stripswm/nodes/sim/scene"
)

// Months is a robot that executes plans for months at one simulated table, while its camera creeps
// and is bumped, light drifts and changes at night, noise grows, and an object is replaced by one
// of another colour. What it executes is recorded, and its bundle is refreshed from that.
type Months struct {
	World   *sim.World
	Bundle  string // of the world
	Bag     string // that it was learned from
	Out     string // folder for recordings and refreshed bundles, which must not exist
	Seed    uint64
	Skills  int // executed in all
	Every   int // skills after which the bundle is refreshed; 0: it never is
	Threads int
	Image   record.Options // Size, Quality and Nuisance of images
	// Progress is told how many skills are executed.
	Progress func(skills int, note string)
}

// Counts are what became of images and goals.
type Counts struct {
	Images   int `json:"images"` // of the scene as it was
	Accepted int `json:"accepted"`
	Wrong    int `json:"wrong"` // accepted as another state than was shown
	Goals    int `json:"goals"`
	Reached  int `json:"reached"`
	Mistaken int `json:"mistaken"` // another state was taken for the goal
}

// Add adds others.
func (c *Counts) Add(o Counts) {
	c.Images, c.Accepted, c.Wrong = c.Images+o.Images, c.Accepted+o.Accepted, c.Wrong+o.Wrong
	c.Goals, c.Reached, c.Mistaken = c.Goals+o.Goals, c.Reached+o.Reached, c.Mistaken+o.Mistaken
}

// Stretch is what happened between two refreshes.
type Stretch struct {
	Skills int `json:"skills"` // executed until its end
	Counts
	// Refused are the images that were not accepted, by why.
	Refused map[imageplan.Refusal]int `json:"refused"`
	// The camera at the end: how far it has turned, and what images were aligned by, shares of the
	// image's width.
	Shift   float64 `json:"shift"`
	Aligned float64 `json:"aligned"`
	Light   float64 `json:"light"`
	// Confirmed says that somebody looked at the new object, and said that it is one of the model's.
	Confirmed bool                  `json:"confirmed,omitempty"`
	Refreshed *learn.RefreshSummary `json:"refreshed,omitempty"`
	Kept      string                `json:"kept,omitempty"` // why the bundle was kept as it was
}

// months is one run.
type months struct {
	Months
	wear     sim.Wear
	worn     *sim.World
	rng      *rand.Rand
	truth    *sim.Graph
	first    *imageplan.Planner // of the bundle as it was learned, which says what states are called
	codes    map[sim.State]strips.State
	planner  *imageplan.Planner
	executor *execute.Executor
	rig      *record.Rig
	skills   int
	// confirmed says that somebody said that the new object is one of the model's.
	confirmed bool
	now       time.Time
	stretch   Stretch
}

// Run runs it, and returns what happened until it was done or an error ended it.
func (m Months) Run(ctx context.Context) (all []Stretch, err error) {
	r := &months{Months: m, rng: rand.New(rand.NewPCG(m.Seed, 0x304d5)),
		truth: sim.GroundTruth(m.World), codes: map[sim.State]strips.State{}, now: time.Unix(0, 0)}
	r.worn = sim.Worn(m.World, &r.wear)
	if r.first, err = imageplan.Open(m.Bundle, imageplan.Options{}); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.first.Close()) }()
	refresher := learn.Refresher{Bundle: m.Bundle, Bags: []string{m.Bag}, Seed: m.Seed,
		Threads: m.Threads}
	for k := 0; r.skills < m.Skills; k++ {
		bag := filepath.Join(m.Out, fmt.Sprintf("bag%02d", k))
		if err := r.run(ctx, refresher.Bundle, bag); err != nil {
			return append(all, r.stretch), err
		}
		s := &r.stretch
		if m.Every > 0 && r.skills < m.Skills {
			refresher.Bags = append(refresher.Bags, bag)
			refresher.Out = filepath.Join(m.Out, fmt.Sprintf("learned%02d", k))
			refresher.Confirmed = r.confirmed
			summary, err := refresher.Run(ctx)
			switch {
			case err == nil:
				s.Refreshed, refresher.Bundle = &summary, summary.Bundle
			case errors.Is(err, facts.ErrWorse), errors.Is(err, facts.ErrNothingNew):
				s.Kept = err.Error()
				refresher.Bags = refresher.Bags[:len(refresher.Bags)-1]
			default:
				return all, err
			}
		}
		all = append(all, *s)
	}
	return all, nil
}

// run executes plans until the next refresh.
func (m *months) run(ctx context.Context, bundle, bag string) (err error) {
	m.stretch = Stretch{Refused: map[imageplan.Refusal]int{}}
	if m.planner, err = imageplan.Open(bundle, imageplan.Options{Confirmed: m.confirmed}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.planner.Close()) }()
	if m.executor, err = newExecutor(m.planner, m); err != nil {
		return err
	}
	o := m.Image
	o.Seed = m.Seed + uint64(m.skills)<<8
	if m.rig, err = record.OpenRig(m.worn, bag, o); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.rig.Close()) }()
	states := m.truth.States()
	end := m.Skills
	if m.Every > 0 {
		end = min(end, m.skills+m.Every)
	}
	defer func() {
		m.stretch.Skills, m.stretch.Light = m.skills, m.wear.Light
		m.stretch.Shift = math.Hypot(m.wear.Right, m.wear.Down)
	}()
	for idle := 0; m.skills < end; {
		before := m.skills
		if err := m.reach(ctx, states[m.rng.IntN(len(states))]); err != nil {
			return err
		}
		if idle++; m.skills > before {
			idle = 0
		}
		// The robot stands still: somebody has a look at the new object, if there is one.
		const patience = 5
		if idle > patience && m.wear.Replaced > 0 && !m.planner.Confirmed() {
			m.planner.Confirm()
			m.confirmed, m.stretch.Confirmed = true, true
			if m.Every > 0 { // the sooner, the fewer images are refused
				end = m.skills + max(m.Every/5, 1)
			}
		}
		if idle > 20*patience { // the time passes nevertheless
			m.age()
		}
		if m.Progress != nil {
			m.Progress(m.skills, fmt.Sprintf("%d of %d goals reached", m.stretch.Reached, m.stretch.Goals))
		}
	}
	return nil
}

// reach executes a plan to a state of which there is an image. After one that failed somebody sets
// the scene up again.
func (m *months) reach(ctx context.Context, goal sim.State) error {
	wanted, err := m.look(goal)
	if err != nil {
		return err
	}
	m.stretch.Goals++
	if !wanted.Known() {
		return ctx.Err()
	}
	_, err = m.executor.Run(ctx, strips.GoalOf(wanted.Code), execute.Hooks{})
	var stop *execute.Stop
	switch {
	case err != nil && !errors.As(err, &stop):
		return fmt.Errorf("closed loop: %w", err)
	case err != nil:
		states := m.truth.States()
		m.rig.Reset(states[m.rng.IntN(len(states))])
	case m.rig.State() == goal:
		m.stretch.Reached++
	default:
		m.stretch.Mistaken++
	}
	return nil
}

// look recognizes a new image of a state, and counts whether it is right.
func (m *months) look(s sim.State) (r imageplan.Recognition, err error) {
	shown, err := m.rig.Look(s)
	if err != nil {
		return r, err
	}
	img, err := pixels.Decode(shown.Data)
	if err != nil {
		return r, err
	}
	if r, err = m.planner.Recognize(img); err != nil {
		return r, err
	}
	m.stretch.Images++
	x, y := r.Change.Shift()
	m.stretch.Aligned = math.Hypot(x, y)
	if !r.Known() {
		m.stretch.Refused[r.Refusal]++
		return r, nil
	}
	m.stretch.Accepted++
	code, err := m.code(s)
	if err == nil && r.Code != code {
		m.stretch.Wrong++
	}
	return r, err
}

// code is what a state is called by the bundle as it was learned, of images of those days.
func (m *months) code(s sim.State) (strips.State, error) {
	if code, ok := m.codes[s]; ok {
		return code, nil
	}
	from := simulated{graph: m.truth, options: Options{Size: m.Image.Size, Nuisance: m.Image.Nuisance,
		Seed: m.Seed}}
	const tries = 20
	for k := range uint64(tries) {
		img, err := from.image(s, uint64(s)*tries+k, 1)()
		if err != nil {
			return strips.State{}, err
		}
		r, err := m.first.Recognize(img)
		if err != nil {
			return strips.State{}, err
		}
		if r.Known() {
			m.codes[s] = r.Code
			return r.Code, nil
		}
	}
	return strips.State{}, fmt.Errorf("state %s: the bundle recognizes none of %d images",
		m.World.Describe(s), tries)
}

// What months do: how far the camera creeps with each skill, shares of the image's width, the
// shortest and longest bump, how far light drifts, and by how much less there is at night, and how
// much noise is added.
const (
	creep               = 0.0002
	leastBump, mostBump = 0.01, 0.03
	drift, night        = 0.2, 0.2
	moreNoise           = 0.5
)

// age is what happens with each skill.
func (m *months) age() {
	m.skills++
	w, share := &m.wear, float64(m.skills)/float64(m.Skills)
	w.Right += creep * float64(1-2*m.rng.IntN(2))
	w.Down += creep * float64(1-2*m.rng.IntN(2))
	quarter := max(m.Skills/4, 1)
	if m.skills%quarter == 0 && m.skills < m.Skills {
		sin, cos := math.Sincos(2 * math.Pi * m.rng.Float64())
		by := leastBump + (mostBump-leastBump)*m.rng.Float64()
		w.Right, w.Down = w.Right+by*cos, w.Down+by*sin
		w.Roll += (m.rng.Float64() - 0.5) * math.Pi / 180
	}
	w.Light, w.Warm = 1+drift*math.Sin(2*math.Pi*share), 1
	if day := max(m.Skills/20, 1); m.skills/day%2 == 1 {
		w.Light, w.Warm = w.Light*(1-night), 1.1
	}
	w.Noise = 1 + moreNoise*share
	if w.Replaced == 0 && share >= 0.6 {
		w.Replaced = 1
		w.Colour = scene.Vec{X: m.rng.Float64(), Y: m.rng.Float64(), Z: m.rng.Float64()}
	}
}

// Now is the clock of images and skills: each takes a second.
func (m *months) Now() time.Time { return m.now }

// Observe takes a new image of the scene.
func (m *months) Observe(context.Context, time.Time) (execute.Observation, error) {
	r, err := m.look(m.rig.State())
	m.now = m.now.Add(time.Second)
	return observed(r, m.now), err
}

// Execute does an action, and records it.
func (m *months) Execute(_ context.Context, a strips.ActionID) (execute.Report, error) {
	m.now = m.now.Add(time.Second)
	_, _, ok, err := m.rig.Try(a)
	m.age()
	if err != nil || !ok {
		return execute.Report{Outcome: execute.Refused}, err
	}
	return execute.Report{Outcome: execute.Succeeded}, nil
}
