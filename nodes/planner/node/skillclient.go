package node

import (
	"context"
	"errors"

	"stripswm/models/strips"
	"stripswm/nodes/execute"
	"stripswm/nodes/ros"
	"stripswm/nodes/skills"
)

// skillClient sends skills to the skill executor. A skill that the executor rejects does not apply.
type skillClient struct{ *skills.Client }

func (a skillClient) Execute(ctx context.Context, action strips.ActionID) (execute.Report, error) {
	report, err := a.Client.Execute(ctx, action)
	if errors.Is(err, ros.ErrRejected) {
		return execute.Report{Outcome: execute.Refused, Message: "the executor rejects the goal"}, nil
	}
	return report, err
}
