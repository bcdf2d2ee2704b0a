package main

import (
	"fmt"
	"math/rand/v2"

	"stripswm/models/exploration"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
)

// noise is what goes wrong.
type noise struct {
	name     string
	hand     int     // somebody moves something before every so many attempts; 0: nobody does
	during   int     // likewise, at such an attempt, after the skill and before the second image
	statuses float64 // share of attempts whose success is reported as a refusal, and vice versa
	failing  float64 // share of attempts that fail: half of these changed the scene as they should
}

// handSteps is how many skills a hand executes: it picks something up and places it, or the other
// way round.
const handSteps = 2

// robot tries skills in a simulated world.
type robot struct {
	world    sim.World
	noise    noise
	at       sim.State
	before   sim.State // in which the last attempt began
	rng      *rand.Rand
	images   bool
	seed     uint64
	taken    uint64 // images
	scene    uint64 // how things stand within their places, and the light
	attempts int
}

func newRobot(w sim.World, n noise, seed uint64, images bool) *robot {
	return &robot{world: w, noise: n, at: w.Initial(), rng: rand.New(rand.NewPCG(seed, 0x40153)),
		images: images, seed: seed, scene: seed}
}

// side is that of images, pixels.
const side = 64

func (r *robot) thumbnail() (pixels.Thumbnail, error) {
	r.taken++
	img, err := camera.New(side, side).RenderAgain(r.world, r.at, r.scene, r.seed<<40|r.taken)
	if err != nil {
		return nil, err
	}
	return pixels.NewThumbnail(pixels.FromImage(img).Pix, side), nil
}

// hand changes the scene.
func (r *robot) hand() {
	for from := r.at; r.at == from; {
		for step := 0; step < handSteps; {
			a := strips.ActionID(1 + r.rng.IntN(r.world.NumActions()))
			if next, ok := r.world.Apply(r.at, a); ok {
				r.at = next
				step++
			}
		}
	}
	r.scene = r.rng.Uint64()
}

// reset puts the scene into its initial state.
func (r *robot) reset() { r.at, r.scene = r.world.Initial(), r.rng.Uint64() }

// try attempts a skill. It returns what is reported, with the images and the robot's seconds.
func (r *robot) try(a strips.ActionID) (t traces.Attempt, images *[2]pixels.Thumbnail,
	seconds float64, err error,
) {
	r.attempts++
	if r.noise.hand > 0 && r.attempts%r.noise.hand == 0 {
		r.hand()
	}
	r.before = r.at
	if r.images {
		images = &[2]pixels.Thumbnail{}
		if images[0], err = r.thumbnail(); err != nil {
			return t, nil, 0, fmt.Errorf("state %d: %w", r.at, err)
		}
	}
	t, seconds = traces.Attempt{Action: a, Outcome: traces.Refused}, exploration.RefusalSeconds
	if next, ok := r.world.Apply(r.at, a); ok {
		t.Outcome, seconds = traces.Succeeded, exploration.SuccessSeconds
		if r.rng.Float64() < r.noise.failing {
			t.Outcome = traces.Failed
		}
		if t.Outcome == traces.Succeeded || r.rng.IntN(2) == 0 {
			r.at, r.scene = next, r.rng.Uint64()
		}
	}
	if r.noise.during > 0 && r.attempts%r.noise.during == 0 {
		r.hand()
	}
	if t.Outcome != traces.Failed && r.rng.Float64() < r.noise.statuses {
		t.Outcome = traces.Succeeded + traces.Refused - t.Outcome
	}
	if r.images {
		images[1], err = r.thumbnail()
	}
	return t, images, seconds, err
}
