package trials

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"stripswm/models/exploration"
	"stripswm/models/exploration/images"
	"stripswm/models/facts"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
	"stripswm/models/worlds"
	"stripswm/nodes/sim"
)

// Policies by which a robot chooses. Only an informed one explores a simulated world.
const (
	Informed = "informed" // package models/exploration
	Oracle   = "oracle"   // draws evenly, nine times in ten among the skills that apply
	Uniform  = "uniform"  // draws evenly among all
)

// Exploration is a robot that begins with nothing in one of two worlds, and when it ends. A success
// takes exploration.SuccessSeconds.
type Exploration struct {
	World     *worlds.World
	Simulated *sim.World // if World is nil
	Noise     Noise      // in a simulated world
	Images    bool       // that an explorer of a simulated world looks at
	Policy    string
	Stop      bool // end when the explorer expects that enough plans are right, not when they are
	Seed      uint64
	From      float64 // robot ks of the first measurement, but with Stop
	Limit     float64 // robot ks at which the last is made
	Refusal   float64 // seconds that a refused skill takes
	Curve     bool    // tell each measurement
}

// Explored is what became of an exploration.
type Explored struct {
	Actions int     `json:"actions"`
	Right   *Moment `json:"right,omitempty"` // when 95 of 100 plans first led to the goal
	End     Moment  `json:"end"`
	CPU     float64 `json:"cpu_seconds"` // of choosing and learning
	// Error is the mean distance of what the explorer expects from the truth, in percent of plans,
	// from when half of the skills succeeded. With Stop.
	Error float64  `json:"error,omitempty"`
	Curve []Moment `json:"curve,omitempty"`
}

// Moment is what was so at a time.
type Moment struct {
	KS        float64 `json:"ks"` // of robot time
	Attempts  int     `json:"attempts"`
	Succeeded int     `json:"succeeded"`
	Plans     float64 `json:"plans"`              // percent that lead to the goal
	Expected  float64 `json:"expected,omitempty"` // percent, by the explorer
}

const (
	target   = 0.95
	queries  = 100
	failures = 6    // of plans, after which the target is missed: then the others count as failures
	step     = 1.03 // factor of robot time between two measurements
)

// robot tries skills in a world, and knows whether plans are right.
type robot interface {
	actions() int
	// try attempts a skill. It returns what is reported, with images if it has any, and seconds.
	try(a strips.ActionID) (traces.Attempt, *[2]pixels.Thumbnail, float64, error)
	// reset puts the scene into its initial state.
	reset()
	// plans is the share of plans between random states that lead to the goal. It plans no more after
	// so many failures.
	plans(ctx context.Context, r *traces.Result, happened facts.Recording, failures int) (float64,
		error)
}

// policy chooses attempts and is told what became of them.
type policy interface {
	Next() (exploration.Choice, error)
	Observe(t traces.Attempt, seconds float64, shown *[2]pixels.Thumbnail) error
	Reset() error // somebody has changed the scene
	Happened() facts.Recording
}

// open makes the robot and its policy; the explorer is nil of a policy that only draws.
func (e Exploration) open() (robot, policy, *images.Explorer, error) {
	var r robot
	if e.World == nil {
		r = newSimulated(e)
	} else {
		s := &symbolic{e.World, e.World.Start, e.Seed, e.Refusal}
		if e.Policy != Informed {
			return s, newDrawn(s, e.Policy == Oracle), nil, nil
		}
		r = s
	}
	x, err := exploration.New(r.actions(), exploration.Options{Seed: e.Seed})
	if err != nil {
		return nil, nil, nil, err
	}
	informed := images.New(x)
	return r, informed, informed, nil
}

// Run explores.
func (e Exploration) Run(ctx context.Context) (found Explored, err error) {
	r, p, x, err := e.open()
	if err != nil {
		return found, err
	}
	if x == nil && e.Stop {
		return found, fmt.Errorf("policy %s does not expect anything: let it end by its plans", e.Policy)
	}
	found.Actions = r.actions()
	var seconds, distance float64
	var cpu time.Duration
	succeeded, learned, measured := map[strips.ActionID]bool{}, 0, 0
	next, limit := 1000*e.From, 1000*e.Limit
	if e.Stop {
		next = 0
	}
	for now := &found.End; seconds < limit; {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		began := time.Now()
		c, err := choose(r, p)
		if err != nil {
			return found, err
		}
		cpu += time.Since(began)
		t, shown, took, err := r.try(c.Action)
		if err != nil {
			return found, err
		}
		if t.Outcome == traces.Succeeded {
			succeeded[t.Action] = true
			now.Succeeded++
		}
		now.Attempts++
		seconds += took
		began = time.Now()
		if err := p.Observe(t, took, shown); err != nil {
			return found, err
		}
		cpu += time.Since(began)
		now.KS, found.CPU = seconds/1000, cpu.Seconds()
		over := seconds >= limit
		if !over && (seconds < next || e.Stop && x.Learned() == learned) {
			continue
		}
		next = seconds * step
		tries := failures
		if e.Curve || e.Stop || over {
			tries = queries
		}
		happened := p.Happened()
		model, err := traces.Learn(r.actions(), happened.Segments, traces.Options{})
		if err != nil {
			return found, err
		}
		share, err := r.plans(ctx, model, happened, tries)
		if err != nil {
			return found, err
		}
		expected := 0.0
		if x != nil && (e.Stop || share >= target || over) {
			learned = x.Learned()
			expects, err := x.Expect(ctx, nil)
			if err != nil {
				return found, err
			}
			expected = expects.Success
		}
		now.Plans, now.Expected = 100*share, 100*expected
		if e.Curve {
			found.Curve = append(found.Curve, *now)
		}
		if share >= target && found.Right == nil {
			at := *now
			found.Right = &at
		}
		if e.Stop && 2*len(succeeded) >= r.actions() {
			distance, measured = distance+math.Abs(expected-share), measured+1
			found.Error = 100 * distance / float64(measured)
		}
		if e.Stop && expected >= target || !e.Stop && share >= target {
			break
		}
	}
	return found, nil
}

// choose asks for the next attempt, after a reset where every skill was refused.
func choose(r robot, p policy) (exploration.Choice, error) {
	c, err := p.Next()
	if !errors.Is(err, exploration.ErrStuck) {
		return c, err
	}
	r.reset()
	if err := p.Reset(); err != nil {
		return c, err
	}
	return p.Next()
}
