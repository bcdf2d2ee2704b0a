// Package check replays plans on a model. It shares no code with the search in package planner, nor
// with the successor function of package strips, so that an error in either is found.
//
// The main function is [Path]:
//
//	model, start, goal, plan, its states --Path--> uncertain steps, or an error that names the step
//
//	left, err := check.Path(model, start, goal, plan, states)
package check
