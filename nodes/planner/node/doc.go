// Package node is the planner as a ROS 2 node: a thin shell around package
// execute.
//
// The main type is Planner, made on a ros.Node. It is a lifecycle node: configure
// loads and verifies the bundle and warms the network's session, activate begins
// to take goals. Camera pictures come in, recognitions (PredicateState), plans
// (ActionSequence) and annotated pictures go out, and skills are sent to the
// executor (ExecuteSkill) one at a time:
//
//	camera/image_raw ──> judge ──> execute.Executor ──> execute_skill
//	plan_to_image, goal_image, ~/plan ────────┘ └──> action_sequence, predicate_state, plan_image
//
// A goal arrives in one of three ways: the action plan_to_image, an image on
// goal_image (plans at once; executes if execute_topic_goals is set), or the
// service ~/plan, which plans to the latest goal image. One goal is worked on at
// a time.
//
// A plan whose only way leads through a skill that nobody tried in that state is executed:
// the node warns in its log, looks after the skill and, where it was refused, plans
// without it.
package node
