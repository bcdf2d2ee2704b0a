package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/execute"
	"stripswm/nodes/ros"
)

const (
	serverPatience = 3 * time.Second        // for a skill executor to be found
	cancelPatience = 500 * time.Millisecond // for it to confirm a cancel
)

// skills is the skill executor behind the action execute_skill.
type skills struct {
	clock  *ros.Clock
	client *ros.ActionClient[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback, *msgs.ExecuteSkillResult]
}

// Execute runs one skill. When ctx ends the skill is canceled.
func (s *skills) Execute(ctx context.Context, a strips.ActionID) (execute.Report, error) {
	if err := s.find(ctx); err != nil {
		return execute.Report{}, err
	}
	goal, err := s.client.Send(ctx, &msgs.ExecuteSkillGoal{Action: uint32(a)}, nil)
	if errors.Is(err, ros.ErrRejected) {
		return execute.Report{Outcome: execute.Refused, Ended: s.clock.Now(), Message: "the executor rejects the goal"}, nil
	}
	if err != nil {
		return execute.Report{}, err
	}
	result, _, err := goal.Result(ctx)
	if ctx.Err() != nil {
		// The caller's context has ended: the cancel has its own.
		stopping, done := context.WithTimeout(context.WithoutCancel(ctx), cancelPatience)
		defer done()
		if cancelErr := goal.Cancel(stopping); cancelErr != nil {
			return execute.Report{}, errors.Join(ctx.Err(), fmt.Errorf("action %d may still run: %w", a, cancelErr))
		}
		return execute.Report{}, ctx.Err()
	}
	if err != nil {
		return execute.Report{}, err
	}
	return s.report(result), nil
}

func (s *skills) find(ctx context.Context) error {
	if s.client.Ready() {
		return nil
	}
	waiting, done := context.WithTimeout(ctx, serverPatience)
	defer done()
	err := s.client.WaitForServer(waiting)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("no skill executor serves the action execute_skill within %v: is it running?", serverPatience)
	}
	return err
}

// report trusts the outcome only as far as it is one of the message's.
func (s *skills) report(r *msgs.ExecuteSkillResult) execute.Report {
	report := execute.Report{Outcome: execute.Failed, Ended: r.Ended.GoTime(), Message: r.Message}
	switch r.Outcome {
	case msgs.ExecuteSkillResultSucceeded:
		report.Outcome = execute.Succeeded
	case msgs.ExecuteSkillResultRefused:
		report.Outcome = execute.Refused
	}
	if r.Ended.IsZero() {
		report.Ended = s.clock.Now()
	}
	return report
}
