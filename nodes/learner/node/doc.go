// Package node is the learner as a ROS 2 node. Package learn has the method; this package has the
// topics, services and parameters.
//
// The main type is [Learner]. It learns a bundle from the recording that its parameters name. It
// begins when ~/start (std_srvs/Trigger) is called, or at once with autostart:
//
//	l, err := node.New(n)
//	err = l.Start()
//	err = l.Wait(ctx)
//
// ~/cancel ends training and keeps the best checkpoint; a start with resume continues from it. The
// node publishes
//   - ~/progress (diagnostic_msgs/DiagnosticStatus): name is the stage, message says how training
//     goes, values are done and total,
//   - ~/bundle (std_msgs/String, latched): the directory of the bundle, when it is complete,
//   - /diagnostics: the health of the node.
package node
