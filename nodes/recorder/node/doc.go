// Package node is the recorder as a ROS 2 node: it wires topics, services and
// parameters to a recording.Recorder.
//
//	camera/image_raw, skill_status --> Node --> bag, transitions, /diagnostics
//
// The main type is Node:
//
//	r, err := node.New(n, os.Stdout) // n is a *ros.Node; records at once unless autostart is false
//	defer r.Close()                  // closes the bag and prints the cadence report
//
// Services: ~/start, ~/stop and ~/mark_failed. A transition is published on
// transitions when it is on disk, and not before. With a bundle, the pictures of
// each transition are classified as they come, and /diagnostics tells how many of
// the model's states were seen.
package node
