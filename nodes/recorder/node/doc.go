// Package node is the recorder as a ROS 2 node: it wires topics, services and
// parameters to a recording.Recorder.
//
//	camera/image_raw, skill_status, scene_reset --> Node --> bag, transitions, /diagnostics
//
// The main type is Node:
//
//	r, err := node.New(n, os.Stdout) // n is a *ros.Node; records at once unless autostart is false
//	defer r.Close()                  // closes the bag and prints the cadence report
//
// Services: ~/start, ~/stop and ~/mark_failed. A transition is published on
// transitions when it is on disk, and not before. Who changes the scene between two
// skills says so on scene_reset (std_msgs/String: why), after the transition of the
// one and before the start of the other; said while a skill runs, or before the
// scene has come to rest after it, that attempt is failed. In the bag it is
// bags.ResetTopic, wherever scene_reset was remapped to.
//
// Nothing that comes ends a recording: what does not decode, cannot be read or cannot be an attempt is left out, counted
// in /diagnostics and named in the log. Only the disk does, and then /diagnostics has level ERROR, and Failed says so.
//
// With continue a recording that is in directory is gone on with, in its next file, if it is whole.
//
// A parameter that there is not is named in the log.
//
// With a bundle, the pictures of each transition are classified as they come, and /diagnostics tells how many of the
// model's states were seen.
package node
