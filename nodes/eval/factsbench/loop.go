package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/models/facts"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/nodes/execute"
	"stripswm/nodes/sim"
	"stripswm/nodes/sim/camera"
	"stripswm/nodes/sim/record"
)

// maxSetUps is how often the start and the goal are set up and photographed, at most, until their
// images are recognized.
const maxSetUps = 5

// closedLoop executes plans with the executor of the planner node. Between two skills the scene
// stays as it is. Where the image of the start or the goal is refused, somebody sets it up again.
func (b *bench) closedLoop(ctx context.Context, all []query) error {
	search, err := execute.NewModelSearch(b.model, planner.Limits{States: maxReached})
	if err != nil {
		return err
	}
	policy := execute.DefaultPolicy()
	// There is nothing to wait for.
	policy.Age, policy.Settle, policy.SkillTime, policy.FrameTime = 0, 0, 0, 0
	reached, wrong, again, replans := 0, 0, 0, 0
	l := &loop{bench: b, now: time.Unix(0, 0)}
	e := &execute.Executor{Recognizer: l, Skills: l, Search: search, Clock: l, Policy: policy}
	for _, q := range all {
		target, more, err := l.recognized(ctx, q.goal, q.target)
		if err != nil {
			return err
		}
		l.setUp(q.start)
		start, err := l.see(ctx)
		if err != nil {
			return err
		}
		start, starts, err := l.recognized(ctx, q.start, start)
		if err != nil {
			return err
		}
		if more+starts > 0 {
			again++
		}
		if target.Refusal != "" || start.Refusal != "" {
			continue
		}
		r, err := e.Run(ctx, strips.GoalOf(strips.StateOf(target.Values)), execute.Hooks{})
		var stop *execute.Stop
		if err != nil && !errors.As(err, &stop) {
			return err
		}
		replans += r.Replans
		switch {
		case err == nil && l.at == q.goal:
			reached++
		case err == nil:
			wrong++
		}
	}
	n := len(all)
	fmt.Printf("closed loop, %d pairs: %.1f %% solved, %.1f %% wrong, %.1f %% given up; "+
		"%.1f %% set up again, %d new plans\n", n, percent(reached, n), percent(wrong, n),
		percent(n-reached-wrong, n), percent(again, n), replans)
	return nil
}

// loop is the simulated world of closed loops.
type loop struct {
	*bench
	at     sim.State
	now    time.Time
	images uint64
	scene  uint64 // as things were left after so many images
}

// stream keeps the images of closed loops apart from others of the evaluation.
const stream = 3 << 20

// setUp puts the scene into a state.
func (l *loop) setUp(s sim.State) {
	l.images++
	l.at, l.scene = s, l.images
}

// recognized sets a state up again until its image is recognized, and returns the last image.
func (l *loop) recognized(ctx context.Context, s sim.State, seen facts.Recognition) (
	_ facts.Recognition, again int, err error,
) {
	for ; seen.Refusal != "" && again < maxSetUps-1; again++ {
		l.setUp(s)
		if seen, err = l.see(ctx); err != nil {
			return seen, again, err
		}
	}
	return seen, again, nil
}

// see recognizes a new image of the scene.
func (l *loop) see(ctx context.Context) (facts.Recognition, error) {
	l.images++
	img, err := camera.New(side, side).RenderAgain(l.truth.World(), l.at,
		record.EvaluationSeed(l.seed, stream+l.scene), record.EvaluationSeed(l.seed, stream+l.images))
	if err != nil {
		return facts.Recognition{}, err
	}
	all, err := l.recognizeAll(ctx, []pixels.RGB{pixels.FromImage(img)})
	if err != nil {
		return facts.Recognition{}, err
	}
	return all[0], nil
}

// Now is the clock of images and skills: each takes a second.
func (l *loop) Now() time.Time { return l.now }

// Observe takes a new image of the scene.
func (l *loop) Observe(ctx context.Context, _ time.Time) (execute.Observation, error) {
	r, err := l.see(ctx)
	if err != nil {
		return execute.Observation{}, err
	}
	l.now = l.now.Add(time.Second)
	return execute.Observation{Stamp: l.now, Code: strips.StateOf(r.Values), Reason: string(r.Refusal),
		Near: r.Refusal == facts.OutOfDistribution &&
			r.Score <= imageplan.Nearly*l.recognizer.Limit}, nil
}

// Execute executes an action.
func (l *loop) Execute(_ context.Context, a strips.ActionID) (execute.Report, error) {
	l.now = l.now.Add(time.Second)
	next, ok := l.truth.World().Apply(l.at, a)
	if !ok {
		return execute.Report{Outcome: execute.Refused, Ended: l.now}, nil
	}
	l.setUp(next)
	return execute.Report{Outcome: execute.Succeeded, Ended: l.now}, nil
}
