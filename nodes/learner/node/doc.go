// Package node is the learner as a ROS 2 node: a thin shell around package
// learn.
//
// The main type is Learner. It learns a bundle from the recording that its
// parameters name when ~/start (std_srvs/Trigger) is called, or at once with
// autostart; ~/cancel ends it, keeping the best checkpoint, from which a start
// with resume goes on. How far it has come is published on ~/progress
// (diagnostic_msgs/DiagnosticStatus: name is the stage, message a word on how it
// goes, values done and total), its health on /diagnostics, and the bundle's
// directory, when there is one, on ~/bundle (std_msgs/String, latched):
//
//	l, err := node.New(n)
//	err = l.Start()
//	err = l.Wait(ctx)
//
// Watch adds incremental learning: operators are learned anew, by package
// incremental, as the recorder acknowledges transitions, within milliseconds; a
// smaller model follows when one has been found beside that. After a message on
// scene_reset the next attempt does not count as finding what the last one left.
package node
