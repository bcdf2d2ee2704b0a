// Package execute executes plans in closed loop: one skill at a time, with an observation after
// each (paper, section 5.3, extended by sensing).
//
// The main type is [Executor]. Run observes the state and plans to a goal state. For each action of
// the plan it executes the skill, observes again, and compares the observed predicates with the
// predicted ones:
//
//	Recognizer --Observation--> Executor --state, goal--> Search
//	Search --plan--> Executor --action--> Skills
//
//	e := execute.Executor{Recognizer: camera, Skills: client, Search: search, Clock: clock,
//		Policy: execute.DefaultPolicy()}
//	result, err := e.Run(ctx, goal, execute.Hooks{})
//
// The camera decides, not the skill's report: a goal is reached when an image shows it. Where
// observation and prediction differ, the [Policy] says whether to try the skill again, to plan
// again or to stop. It tries a skill with a nondeterministic outcome as often as the odds of the
// outcome require. It tries what nobody tried only if no other plan leads to the goal. It acts on
// an image that was not recognized only after a skill, if the image is near to what the skill
// should have left, and at most three times in a row.
//
// After a skill Run observes an image that was surely taken after the skill's end, which is when
// Skills.Execute returned. All times are of Clock. Stamps of other machines order nothing.
//
// The error of a Run that stopped is a [*Stop], which names the reason.
//
// The package uses no images, no networks, and of ROS only the outcomes of a skill. Camera, skills
// and clock are small interfaces ([Recognizer], [Skills], [Clock]), which the planner node
// implements. [ModelSearch] is the search on a learned model.
package execute
