package skills

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

// ErrRuns is wrapped by Execute's error where a skill that was canceled may run still.
var ErrRuns = errors.New("may still run")

// Client sends skills to the executor behind the action execute_skill.
type Client struct {
	action *ros.ActionClient[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback,
		*msgs.ExecuteSkillResult]
}

// Open makes a client of a node.
func Open(n *ros.Node) (*Client, error) {
	action, err := ros.NewActionClient[*msgs.ExecuteSkillGoal, *msgs.ExecuteSkillFeedback,
		*msgs.ExecuteSkillResult](n, "execute_skill")
	if err != nil {
		return nil, err
	}
	return &Client{action}, nil
}

// Close ends the client, but no skill that runs.
func (c *Client) Close() error { return c.action.Close() }

// Ready says whether there is an executor.
func (c *Client) Ready() bool { return c.action.Ready() }

// Execute runs one skill. When ctx ends the skill is canceled. The error wraps ros.ErrRejected
// where the executor does not begin.
func (c *Client) Execute(ctx context.Context, a strips.ActionID) (execute.Report, error) {
	if err := c.find(ctx); err != nil {
		return execute.Report{}, err
	}
	goal, err := c.action.Send(ctx, &msgs.ExecuteSkillGoal{Action: uint32(a)}, nil)
	if ctx.Err() != nil {
		return execute.Report{}, fmt.Errorf("action %d %w: the executor has not answered the goal: %w", a,
			ErrRuns, ctx.Err())
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
			return execute.Report{}, errors.Join(ctx.Err(), fmt.Errorf("action %d %w: %w", a, ErrRuns,
				cancelErr))
		}
		return execute.Report{}, ctx.Err()
	}
	if err != nil {
		return execute.Report{}, err
	}
	return report(result), nil
}

func (c *Client) find(ctx context.Context) error {
	if c.action.Ready() {
		return nil
	}
	waiting, done := context.WithTimeout(ctx, serverPatience)
	defer done()
	err := c.action.WaitForServer(waiting)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("no skill executor serves the action execute_skill within %v: is it running?",
			serverPatience)
	}
	return err
}

// report trusts the outcome only as far as it is one of the message's.
func report(r *msgs.ExecuteSkillResult) execute.Report {
	report := execute.Report{Outcome: execute.Failed, Message: r.Message}
	switch r.Outcome {
	case msgs.ExecuteSkillResultSucceeded:
		report.Outcome = execute.Succeeded
	case msgs.ExecuteSkillResultRefused:
		report.Outcome = execute.Refused
	}
	return report
}
