// Package node is the recorder as a ROS 2 node. It connects topics, services and parameters to a
// recording.Recorder:
//
//	camera/image_raw, skill_status, scene_reset --> Node --> bag, transitions, /diagnostics
//
// The main type is [Node]:
//
//	r, err := node.New(n, os.Stdout) // n is a *ros.Node; records at once unless autostart is false
//	defer r.Close()                  // closes the bag and prints the cadence report
//
// The services are ~/start, ~/stop and ~/mark_failed. The node publishes a transition on
// transitions after it is on disk.
//
// A message on scene_reset (std_msgs/String: why) says that somebody changes the scene between two
// skills. It must come after the transition of the first skill and before the start of the second.
// If it comes while a skill runs, or before the scene is at rest, the attempt is marked as failed.
// In the bag the topic is bags.ResetTopic, also if scene_reset is remapped.
//
// No message ends a recording. The node leaves out messages that it cannot decode, images that it
// cannot read and attempts that are not valid; it counts them in /diagnostics and names them in the
// log. Only an error of the disk ends a recording: /diagnostics has level ERROR, and Failed returns
// the reason.
//
// Images and statuses count in the order of their receipt, whatever their stamps are. /diagnostics
// says how long after its stamp each is received. It warns from 50 ms on, and of images without
// stamps.
//
// With the parameter continue the node goes on with the recording in directory, also after a kill.
// With the parameter bundle it classifies the images of each transition, and /diagnostics says how
// many states of the model were seen. The log names parameters that do not exist.
package node
