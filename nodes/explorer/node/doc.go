// Package node is the explorer as a ROS 2 node: a thin shell around package
// explore, which has a robot record by itself.
//
// The main type is Explorer. It chooses a skill, has the executor try it, waits
// until the recorder has it on disk, and looks; the learner learns from what is
// recorded so far beside that:
//
//	camera/image_raw, transitions, scene_reset ──> Explorer ──> execute_skill, learner/start
//	learner/progress, learner/bundle ──────────────┘ └──> ~/status, ~/reset_request, scene_reset, /diagnostics
//
//	e, err := node.New(n)
//	status, err := e.Run(ctx) // until nothing worth the while is expected, or a budget is spent
//
// ~/pause and ~/resume (std_srvs/Trigger) take effect between attempts. ~/status
// (std_msgs/String, latched) is a Status as JSON. Where the table cannot be
// recognised, or nothing leads on, ~/reset_request (std_msgs/String, latched) says
// why somebody has to change the scene, until a message on scene_reset says that it
// was done; then it is empty. Where the camera shows another state than the last
// attempt left, for five looks, the explorer says so on scene_reset itself, for recorder
// and learner.
//
// With the parameter bag, the directory that the recorder records into, it takes from
// there what is known of actions and camera, and begins with what is recorded, and with the eyes of the parameter bundle, or of the
// learner's latest bundle: an explorer that was killed goes on where it was.
//
// A skill that the executor does not begin, an executor or a recorder that does not
// answer, and three lessons in a row that came to nothing end it with an error that
// says what to do.
package node
