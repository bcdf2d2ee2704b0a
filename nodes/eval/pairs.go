package eval

import (
	"context"
	"errors"
	"math/rand/v2"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/sim"
)

// PairReport says how many pairs of random states are solved, of those that some plan solves.
type PairReport struct {
	World    string `json:"world"`
	Seed     uint64 `json:"seed"`
	Possible int    `json:"possible"`
	Solved   int    `json:"solved"`
	NoPlan   int    `json:"no_plan"` // by the model
	Refused  int    `json:"refused"` // an image was not recognized
	Wrong    int    `json:"wrong"`   // a skill is refused on the way, or the last state is not the goal
	Missed   []Pair `json:"missed,omitempty"`
	// Faults are images of random states with something wrong: as many of each kind as pairs. None
	// should be Wrong: accepted.
	Faults         []OutOfDistribution `json:"faults"`
	Faulty         int                 `json:"faulty"` // images in all
	FaultsAccepted int                 `json:"faults_accepted"`
}

// Pair is a pair that is not solved, with the plan that there was.
type Pair struct {
	From string            `json:"from"` // in words
	To   string            `json:"to"`
	Why  string            `json:"why"` // no plan, wrong, or why an image was refused
	Plan []strips.ActionID `json:"plan,omitempty"`
}

// Pairs plans from images of so many (Queries) random states of a simulated world to images of
// others, and executes the plans in the world. No recording of this seed has these images. Then it
// shows tables on which something is wrong.
func Pairs(ctx context.Context, p *imageplan.Planner, w *sim.World, o Options) (PairReport, error) {
	report, images := PairReport{World: w.Name(), Seed: o.Seed}, uint64(0)
	truth := sim.GroundTruth(w)
	from := simulated{graph: truth, options: o}
	look := func(s sim.State) (pixels.RGB, error) {
		images++
		return from.image(s, 1<<40+images, 1)()
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0x9a125))
	states := truth.States()
	for range o.Queries {
		q := sim.Query{Start: states[rng.IntN(len(states))], Goal: states[rng.IntN(len(states))]}
		start, err := look(q.Start)
		if err != nil {
			return report, err
		}
		goal, err := look(q.Goal)
		if err != nil {
			return report, err
		}
		r, err := p.Plan(ctx, start, goal)
		if ctx.Err() != nil {
			return report, ctx.Err()
		}
		reached, _ := reaches(q, r.Plan, w.Apply, from.knows)
		_, can := truth.Path(q.Start, q.Goal)
		if can {
			report.Possible++
		}
		missed := Pair{From: w.Describe(q.Start), To: w.Describe(q.Goal), Why: "wrong", Plan: r.Plan}
		switch {
		case errors.Is(err, imageplan.ErrUnrecognized):
			report.Refused++
			missed.Why = err.Error()
		case err != nil:
			return report, err
		case r.Outcome != planner.Found && !can:
			continue
		case r.Outcome != planner.Found:
			report.NoPlan++
			missed.Why = "no plan"
		case reached:
			report.Solved++
			continue
		default:
			report.Wrong++
		}
		report.Missed = append(report.Missed, missed)
	}
	return report, report.showFaults(ctx, p, &from)
}

// showFaults shows tables on which something is wrong.
func (r *PairReport) showFaults(ctx context.Context, p *imageplan.Planner, from *simulated) error {
	rng := rand.New(rand.NewPCG(r.Seed, streamFaulty))
	var states []int
	for i := range from.graph.States() {
		states = append(states, i)
	}
	for _, t := range tables()[1] {
		kind := OutOfDistribution{Kind: t.name}
		for range from.options.Queries {
			_, img, good, err := from.faultyOf(t, states, uint64(r.Faulty), rng)
			if err != nil {
				return err
			}
			r.Faulty++
			seen, err := kind.show(ctx, p, img, strips.State{})
			if err != nil {
				return err
			}
			if seen.Where != (pixels.Region{}) {
				kind.Placed++
				if differing(seen.Where, img, good) > 0 {
					kind.PlacedRight++
				}
			}
		}
		r.FaultsAccepted += kind.Wrong
		r.Faults = append(r.Faults, kind)
	}
	return nil
}
