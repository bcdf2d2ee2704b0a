// Package node is the planner as a ROS 2 node. Package execute has the closed loop; this package
// has the topics, services, actions and parameters.
//
// The main type is [Planner], a lifecycle node. Configure loads and verifies the bundle and runs
// the network once; activate begins to accept goals. The node receives camera images. It publishes
// the recognized state (PredicateState), plans (ActionSequence) and annotated images. It sends
// skills to the skill executor (ExecuteSkill), one at a time:
//
//	camera/image_raw --> recognition check --> execute.Executor --> execute_skill
//	plan_to_image, goal_image, ~/plan -------> execute.Executor --> action_sequence,
//	                                                                predicate_state, plan_image
//
//	p, err := node.New(n)
//	err = p.Start(ctx) // configure and activate
//	err = p.Close(ctx)
//
// A goal arrives as a goal of the action plan_to_image, as an image on goal_image, or by the
// service ~/plan, which takes the latest goal image. The node plans to an image on goal_image at
// once, and executes the plan if the parameter execute_topic_goals is true. It works on one goal at
// a time; goals of the action wait for their turn.
//
// If every plan contains a skill that nobody tried in its state, the node executes such a plan and
// writes a warning to its log. If the skill is refused, the node plans again without it.
package node
