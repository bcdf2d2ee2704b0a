package node

import (
	"context"
	"fmt"
	"time"

	"stripswm/models/exploration"
	"stripswm/models/facts"
	"stripswm/models/strips"
	nodes "stripswm/nodes/exploration"
)

// The methods of the parameter method.
const (
	byStates = "graph"  // states that a learner's bundle recognizes
	byFacts  = "traces" // facts in the order of attempts
)

// informed explores by facts, without a learner.
func (e *Explorer) informed(ctx context.Context) (nodes.InformedStatus, error) {
	var s nodes.InformedStatus
	o := e.settings.options
	p, err := exploration.New(len(e.settings.labels), exploration.Options{Seed: o.Seed,
		Excluded: o.Excluded})
	if err != nil {
		return s, err
	}
	x := nodes.Informed{Explorer: p, Robot: &paced{robot: robot{e}}, Names: e.settings.labels,
		Budget: e.settings.budget, Time: e.settings.time, TargetCoverage: e.settings.coverage,
		Successes: facts.MinIntervals, Progress: func(s nodes.InformedStatus) {
			e.tell(func(t *Status) { t.Status, t.Facts = s.Common(), &s })
		}}
	past, err := e.recording()
	if err != nil {
		return s, err
	}
	if past != nil {
		defer past.Close()
		err := x.Recall(ctx, past, &s)
		if err == nil {
			err = p.Interrupt() // nobody watched since
		}
		if err != nil {
			return s, fmt.Errorf("go on from %s: %w", e.settings.bag, err)
		}
	}
	return x.Run(ctx, s)
}

// paced is a robot that makes no attempt while the node is paused, nor more often than it may.
type paced struct {
	robot
	last time.Time
}

func (p *paced) Try(ctx context.Context, a strips.ActionID) (nodes.ImageAttempt, error) {
	if wait := p.settings.rate - time.Since(p.last); wait > 0 {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
	if err := p.rest(ctx); err != nil {
		return nodes.ImageAttempt{}, err
	}
	p.say(exploring)
	p.last = time.Now()
	return p.robot.Try(ctx, a)
}
