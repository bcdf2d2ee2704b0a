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

// maxSetUps is how often a start or a goal is set up and photographed, at most, until its image is
// recognized.
const maxSetUps = 5

// loop carries plans out in a source's world, by the executor of the planner node.
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

// execute carries a query out and counts what became of it. Where the image of the goal or the
// start is not recognized, somebody sets the scene up again.
func (l *loop) execute(ctx context.Context, q sim.Query, goal imageplan.Recognition,
	h *Horizon,
) error {
	h.Executed++
	goal, more, err := l.recognized(ctx, q.Goal, goal)
	if err != nil {
		return err
	}
	start, starts, err := l.recognized(ctx, q.Start, imageplan.Recognition{Refusal: imageplan.Blank})
	if err != nil {
		return err
	}
	if more > 0 || starts > 1 {
		h.SetUpAgain++
	}
	if !goal.Known() || !start.Known() {
		return nil
	}
	_, err = l.executor.Run(ctx, strips.GoalOf(goal.Code), execute.Hooks{})
	var stop *execute.Stop
	switch {
	case err != nil && !errors.As(err, &stop):
		return fmt.Errorf("closed loop: %w", err)
	case err == nil && l.at == q.Goal:
		h.Reached++
	case err == nil:
		h.Mistaken++
	}
	return nil
}

// recognized sets a state up until its image is recognized, and returns the last image.
func (l *loop) recognized(ctx context.Context, s sim.State, seen imageplan.Recognition) (
	_ imageplan.Recognition, times int, err error,
) {
	for ; !seen.Known() && times < maxSetUps; times++ {
		l.at, l.scene = s, l.images
		if seen, err = l.look(); err != nil {
			return seen, times, err
		}
	}
	return seen, times, ctx.Err()
}

// look recognizes a new image of the scene.
func (l *loop) look() (imageplan.Recognition, error) {
	img, err := l.source.photograph(l.at, l.scene, l.images)()
	if err != nil {
		return imageplan.Recognition{}, err
	}
	l.images++
	return l.planner.Recognize(img)
}

// Now is the clock of images and skills: each takes a second.
func (l *loop) Now() time.Time { return l.now }

// Observe takes a new image of the scene.
func (l *loop) Observe(context.Context, time.Time) (execute.Observation, error) {
	r, err := l.look()
	if err != nil {
		return execute.Observation{}, err
	}
	l.now = l.now.Add(time.Second)
	o := execute.Observation{Taken: l.now, Code: r.Code, Probabilities: r.Probabilities}
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
		return execute.Report{Outcome: execute.Refused}, nil
	}
	l.at, l.scene = next, l.images
	return execute.Report{Outcome: execute.Succeeded}, nil
}
