package main

import (
	"errors"
	"fmt"
	"image"
	"io"
	"math/rand/v2"
	"strings"

	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/eval"
	"stripswm/nodes/eval/report"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
)

// unseenPlan is a plan between images of two states that the recording does not contain.
type unseenPlan struct {
	Start   string            `json:"start"` // in words
	Goal    string            `json:"goal"`
	Plan    []strips.ActionID `json:"plan"`
	Names   []string          `json:"names"`
	Reached bool              `json:"reached"` // the goal, in the simulated world
	images  *report.Plan
}

// planUnseen plans between never-recorded states: the first of twenty random pairs whose images are
// recognized. It is nil if there is none.
func (d demo) planUnseen(p *imageplan.Planner) (*unseenPlan, error) {
	never, err := eval.Unrecorded(d.world, p.Bundle().Manifest.Simulation)
	if err != nil || len(never) < 2 {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(d.learner.Seed, 0x0eed))
	for n := range uint64(20) {
		start, goal := never[rng.IntN(len(never))], never[rng.IntN(len(never))]
		from, err := d.photograph(start, 2*n)
		if err != nil {
			return nil, err
		}
		to, err := d.photograph(goal, 2*n+1)
		if err != nil {
			return nil, err
		}
		found, err := p.Plan(d.cmd.Context(), pixels.FromImage(from), pixels.FromImage(to))
		switch {
		case errors.Is(err, imageplan.ErrUnrecognized):
		case err != nil:
			return nil, err
		case found.Outcome == planner.Found && len(found.Plan) > 0:
			return d.execute(p.Model(), start, goal, found.Plan, &report.Plan{Start: from, Goal: to})
		}
	}
	return nil, nil
}

// execute executes a plan in the simulated world, with an image after each skill.
func (d demo) execute(m *strips.Model, start, goal sim.State, plan []strips.ActionID,
	images *report.Plan,
) (*unseenPlan, error) {
	u := &unseenPlan{Start: d.world.Describe(start), Goal: d.world.Describe(goal), Plan: plan,
		images: images}
	images.Caption = fmt.Sprintf("A plan of %d skills between two states that the recording does not "+
		"contain, executed in the simulated world.", len(plan))
	at := start
	for i, a := range plan {
		next, ok := d.world.Apply(at, a)
		img, err := d.photograph(next, 1<<8+uint64(i))
		if err != nil {
			return nil, err
		}
		u.Names = append(u.Names, m.Label(a))
		images.Steps = append(images.Steps, report.PlanStep{Action: a, Name: m.Label(a), State: -1,
			Image: img, Shows: d.world.Describe(next)})
		if at = next; !ok {
			break
		}
	}
	u.Reached = at == goal
	return u, nil
}

// photograph is an image of a state that no recording and no evaluation has.
func (d demo) photograph(s sim.State, n uint64) (image.Image, error) {
	c := camera.New(d.images.size, d.images.size)
	c.Strength = d.images.nuisance
	return c.Render(d.world, s, record.EvaluationSeed(d.learner.Seed, 1<<39+n))
}

func printUnseen(w io.Writer, u *unseenPlan) {
	if u == nil {
		return
	}
	end := "which reaches the goal"
	if !u.Reached {
		end = "which does not reach the goal"
	}
	fmt.Fprintf(w, "\nA plan between two states that the recording does not contain, %s:\n"+
		"  from  %s\n  to    %s\n  plan  %s\n", end, u.Start, u.Goal, strings.Join(u.Names, " "))
}
