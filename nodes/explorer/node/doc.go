// Package node is the explorer as a ROS 2 node. Package exploration has the algorithm; this package
// has the topics, services, actions and parameters.
//
// The main type is [Explorer]. It chooses a skill, sends it to the executor, and waits until the
// recorder has stored the attempt. It learns facts from the order of attempts. The images before
// and after each attempt say when the scene was changed, when a status is wrong, and what a failed
// skill did. Where no image comes, the recorded outcome counts. A bundle is learned from the
// recording afterwards:
//
//	transitions, scene_reset       --> Explorer --> execute_skill
//	camera/image_raw, skill_status --> Explorer --> ~/status, ~/reset_request, /diagnostics
//
//	e, err := node.New(n)     // n is a *ros.Node
//	status, err := e.Run(ctx) // returns when exploration is complete, or a budget is spent
//
// ~/pause and ~/resume (std_srvs/Trigger) take effect between attempts. ~/status (std_msgs/String,
// latched) is a [Status] as JSON. While the camera shows nothing, no attempt begins.
//
// ~/reset_request (std_msgs/String, latched) says why somebody has to change the scene. The
// explorer publishes it when every skill was refused. A message on scene_reset says that the scene
// was changed; ~/reset_request is empty then.
//
// The parameter bag is the directory that the recorder records into. The explorer reads the skills,
// the camera and the recorded attempts from it. An explorer that was killed continues where it was.
//
// Run returns an error that says what to do when the executor does not begin a skill, when executor
// or recorder do not answer, and when no skill does anything, whatever the scene. skill_status says
// whether the executor is why an attempt is not recorded.
package node
