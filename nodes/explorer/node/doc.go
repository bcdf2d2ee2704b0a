// Package node is the explorer as a ROS 2 node. Package exploration has the algorithm; this package
// has the topics, services, actions and parameters.
//
// The main type is [Explorer]. It chooses a skill, sends it to the executor, waits until the
// recorder has stored the attempt, and recognizes the state. The learner retrains meanwhile:
//
//	camera/image_raw, transitions, scene_reset --> Explorer --> execute_skill, learner/start
//	learner/progress, learner/bundle           --> Explorer --> ~/status, ~/reset_request,
//	                                                            scene_reset, /diagnostics
//
//	e, err := node.New(n)     // n is a *ros.Node
//	status, err := e.Run(ctx) // returns when exploration is complete, or a budget is spent
//
// ~/pause and ~/resume (std_srvs/Trigger) take effect between attempts. ~/status (std_msgs/String,
// latched) is a [Status] as JSON.
//
// ~/reset_request (std_msgs/String, latched) says why somebody has to change the scene. The
// explorer publishes it when it cannot recognize the state, or when no skill leads to something
// untried. A message on scene_reset says that the scene was changed; ~/reset_request is empty then.
// If five images in a row show another state than the last attempt left, the explorer publishes
// scene_reset itself, for recorder and learner.
//
// The parameter bag is the directory that the recorder records into. The explorer reads the skills,
// the camera and the recorded attempts from it, and takes the recognizer from the parameter bundle
// or from the learner's latest bundle. An explorer that was killed continues where it was.
//
// With the parameter method:=traces the explorer chooses by facts that it learns from the order of
// attempts. It needs no learner and recognizes nothing: only scene_reset says that the scene was
// changed. A bundle is learned from the recording afterwards.
//
// Run returns an error that says what to do when the executor does not begin a skill, when executor
// or recorder do not answer, and when three training rounds in a row fail.
package node
