// Package skills is the skill client: the client's side of the action execute_skill. Planner and
// explorer use it.
//
// The main type is [Client]. It sends one skill at a time to the skill executor, waits for the
// result, and cancels the skill when the context ends:
//
//	strips.ActionID --> Client --execute_skill--> skill executor --> execute.Report
//
//	c, err := skills.Open(node)
//	report, err := c.Execute(ctx, 7)
//
// The error wraps [ErrRuns] if the skill may still run.
package skills
