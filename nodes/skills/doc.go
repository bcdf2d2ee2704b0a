// Package skills runs the skills of a robot: it is the client's side of the action execute_skill, which planner and
// explorer share.
//
// The main type is Client:
//
//	c, err := skills.Open(node)
//	report, err := c.Execute(ctx, 7) // one skill at a time; when ctx ends, it is canceled
package skills
