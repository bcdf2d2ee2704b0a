// Package exploration has a robot record by itself: it chooses a skill, has it executed, recognizes
// the state, and retrains the recognizer as the recording grows. It does not use ROS. The explorer
// node and the exploration benchmark call it.
//
// The main type is [Explorer]. It explores with a [Robot] until it expects nothing more, or until a
// budget is spent. A [Session] has the attempts and what the images showed:
//
//	Explorer --Next--> Session --Choice--> Robot.Try --ImageAttempt--> Session.Observe
//	    |
//	    +--Learn(recording so far)--> Recognizer --Session.Accept-->  if better
//	    +--Refit(recording so far)--> Recognizer --Session.Refit-->  if not
//
//	session, err := exploration.New(labels, frame, policy.Options{Within: 71})
//	e := exploration.Explorer{Session: session, Robot: robot, Learn: learn, TargetCoverage: 0.95}
//	status, err := e.Run(ctx)
//	fmt.Println(status.Attempts, status.States, status.Why)
//
// # States
//
// The scene does not change between two skills that succeeded, whatever was refused: this is a
// static interval. Before there is a recognizer ([Recognizer]), each static interval is a state of
// its own. A recognizer then names all static intervals so far again, so that the graph of the
// attempts remains when the encoder changes. If the recognition check refuses an image, its static
// interval is a state of its own, because an encoder mostly gives a state that it never saw the
// code of a known state.
//
// The attempts correct the recognizer (states.go, merge.go):
//   - In one state a skill always applies or never. Two static intervals with one code are two
//     states if a skill applied in one and was refused in the other.
//   - A skill leads from one state to one other state. An image that the recognition check refuses
//     shows the state that the same attempt led to before.
//   - Two codes are one state if the same skill led from one state to both, and no attempt
//     separates them.
//
// The choice of the next attempt uses these corrections. A difference that the recognizer does not
// see counts as a surprise, because a planner uses images alone. The comparison of two recognizers
// uses only what each of them sees.
//
// # Training rounds
//
// The Explorer accepts the recognizer of a training round if it describes all attempts in fewer
// bits (Chooser.Bits of models/policy). Otherwise the encoder stays, and the rest is refit with
// frozen encoder (learn.Learner.Encoder). So the last bundle was trained on all attempts, with the
// best encoder.
//
// docs/research/exploration.md has the measurements, and what was tried and dropped.
package exploration
