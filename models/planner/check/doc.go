// Package check replays plans on a model. It shares no code with the search in package planner, nor
// with the successor function of package strips, so that an error in either is found.
//
// The main function is [Plan]. It replays a plan in which every outcome is certain. [Path] replays
// one with nondeterministic or untried steps:
//
//	model, start, goal, plan --Plan--> nil, or an error that names the step
//
//	err := check.Plan(model, start, goal, []strips.ActionID{1, 2})
package check
