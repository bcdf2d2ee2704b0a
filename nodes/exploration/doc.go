// Package exploration has a robot record by itself: it chooses a skill, has it executed, and learns
// from the outcome what to choose next. It does not use ROS. The explorer node and `stripswm
// explore` call it.
//
// The main type is [Explorer]. It explores with a [Robot] until it expects plans between enough
// pairs of states, or until a budget is spent. Package models/exploration chooses the attempts, by
// facts in the order of attempts. Images, if there are any, say what happened where the outcome is
// wrong (package models/exploration/images):
//
//	recording --Explorer.Recall--> Policy
//	Policy --Choice--> Robot.Try --Outcome, images--> Policy
//
//	policy, err := exploration.New(18, exploration.Options{Seed: 1}) // of models/exploration
//	x := Explorer{Policy: images.New(policy), Robot: robot, TargetCoverage: 0.95}
//	status, err := x.Run(ctx, Status{})
//	fmt.Println(status.Attempts, status.Success, status.Reason)
//
// Where every skill was refused, the Explorer asks for a reset. A bundle is learned from the
// recording afterwards (package nodes/learn).
//
// docs/research/exploration.md has the measurements, and what was tried and dropped.
package exploration
