package eval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/models/imageplan"
	"stripswm/models/strips"
	"stripswm/nodes/execute"
	"stripswm/nodes/sim"
)

// executedShare of the queries of each horizon are carried out in closed loop.
const executedShare = 8

// loop carries plans out in a source's world: by the executor of the planner node,
// whose a recognizer is new images and the bundle's networks.
type loop struct {
	source   source
	planner  *imageplan.Planner
	executor *execute.Executor

	at     sim.State
	now    time.Time
	images uint64 // images so far
	scene  uint64 // as things were left by the skill after so many images
}

func newLoop(p *imageplan.Planner, from source) (*loop, error) {
	search, err := execute.NewModelSearch(p.Model(), limits)
	if err != nil {
		return nil, err
	}
	l := &loop{source: from, planner: p, now: time.Unix(0, 0)}
	policy := execute.DefaultPolicy()
	// there is nothing to wait for
	policy.Age, policy.Settle, policy.SkillTime, policy.FrameTime = 0, 0, 0, 0
	l.executor = &execute.Executor{Recognizer: l, Skills: l, Search: search, Clock: l, Policy: policy}
	return l, nil
}

// reaches says whether the world is in the goal's state in the end.
func (l *loop) reaches(ctx context.Context, start sim.State, goal imageplan.Recognition,
	wanted sim.State,
) (bool, error) {
	if !goal.Known() {
		return false, nil
	}
	l.at, l.scene = start, l.images
	_, err := l.executor.Run(ctx, strips.GoalOf(goal.Code), execute.Hooks{})
	var stop *execute.Stop
	if err != nil && !errors.As(err, &stop) {
		return false, fmt.Errorf("closed loop: %w", err)
	}
	return err == nil && l.at == wanted, nil
}

// Now is the clock of images and skills: each takes a second.
func (l *loop) Now() time.Time { return l.now }

// Observe takes a new image of the scene.
func (l *loop) Observe(context.Context, time.Time) (execute.Observation, error) {
	img, err := l.source.photograph(l.at, l.scene, l.images)()
	if err != nil {
		return execute.Observation{}, err
	}
	r, err := l.planner.Recognize(img)
	if err != nil {
		return execute.Observation{}, err
	}
	l.images++
	l.now = l.now.Add(time.Second)
	o := execute.Observation{Stamp: l.now, Code: r.Code, Probabilities: r.Probabilities}
	if !r.Known() {
		o.Reason, o.Near = r.Explain(), r.Near()
	}
	return o, nil
}

// Execute does an action in the world, whatever the recording has of it.
func (l *loop) Execute(_ context.Context, a strips.ActionID) (execute.Report, error) {
	l.now = l.now.Add(time.Second)
	next, ok := l.source.apply(l.at, a)
	if !ok {
		return execute.Report{Outcome: execute.Refused, Ended: l.now}, nil
	}
	l.at, l.scene = next, l.images
	return execute.Report{Outcome: execute.Succeeded, Ended: l.now}, nil
}
