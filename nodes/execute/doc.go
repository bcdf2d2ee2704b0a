// Package execute carries out plans in closed loop: one skill at a time, with a
// look at the table after each (paper, section 5.3, extended by sensing).
//
// The main type is Executor. Run looks, plans to a goal state, and for each
// action of the plan runs the skill, looks again and compares the observed
// predicates with those that the model predicts:
//
//	e := execute.Executor{Eyes: camera, Skills: arm, Search: search, Clock: clock, Policy: execute.DefaultPolicy()}
//	result, err := e.Run(ctx, goal, execute.Hooks{})
//
// The camera decides, not the skill's report: a goal is reached when it is seen.
// Where observation and prediction differ, the policy says whether to try the
// skill again, to plan anew or to stop, and a skill whose outcome the model leaves
// to chance is tried as often as its odds ask for. What nobody tried is tried where no
// other way leads to the goal. A picture that is not
// recognised is never acted on. The error of a Run that stopped is a *Stop, which
// names the reason.
//
// The package knows no ROS beyond the words for how a skill ended, no images and
// no networks: eyes, skills and clock are small interfaces, which the planner node
// implements.
package execute
