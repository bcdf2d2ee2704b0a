// Package workcell simulates a robot cell: a world of package sim, a camera that shows it over
// time, a skill executor whose skills take time, and faults that tests can inject. It does not use
// ROS and has no clock: the caller gives the time.
//
// The main type is [Cell]:
//
//	cell, err := workcell.New(workcell.Options{World: w, Camera: camera.New(128, 128), Seed: 1})
//	e, err := cell.Begin(action, time.Now) // a skill starts
//	ok := cell.Frame(pixels, now)          // an image while it runs
//	cell.End(e)                            // the skill ends; e.Outcome is its outcome
//
// The cell renders a state once, when the world enters it, with its own placement of objects and
// its own light. Each frame adds new sensor noise. While a skill runs, and Tuning.Settling longer,
// the image fades from the state before to the state after. This stands for motion, and takes about
// 1 ms at 640x480, where rendering takes 25 to 80 ms. An object that is moved by hand is elsewhere
// in the next frame, also while a skill runs.
//
// The same calls give the same bytes.
package workcell
