// Package workcell is a robot cell that does not exist: a world of package sim with a
// camera that shows it as time goes by, an executor whose skills take time, and
// faults to be injected. It knows nothing of ROS and has no clock; callers say
// what time it is.
//
// The main type is Cell:
//
//	r, err := workcell.New(workcell.Options{World: world, Camera: camera.New(128, 128), Seed: 1})
//	e, err := r.Begin(action, time.Now) // a skill starts ...
//	shown := r.Frame(pixels, now)       // ... the camera watches ...
//	outcome := r.End(e, now)            // ... and it ends
//
// A state is rendered once, when the world gets into it, with placement and
// light of its own; every frame adds fresh sensor noise. While a skill runs, and
// Tuning.Settling longer, the picture fades from the state before to the state
// after: that stands in for motion, and costs a millisecond at 640x480 where
// rendering costs 25 to 80. An object that is moved by hand is elsewhere in the
// next frame, also while a skill runs.
//
// The same calls give the same bytes.
package workcell
