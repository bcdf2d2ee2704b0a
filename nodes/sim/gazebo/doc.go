// Package gazebo is what the simulated rig wants of a Gazebo: that it puts bodies where
// they are to be, and that pictures of its camera come.
//
// The main type is Link, a connection to a world that runs. A World is one over a
// transport: package classic has that of Gazebo 11, package gz that of Fortress and Harmonic:
//
//	link, err := classic.Connect(ctx, classic.DefaultMaster, "blocksworld", show)
//	err = link.Show(ctx, []gazebo.Body{{Name: "body_00", Position: [3]float64{0, 0, 0.1}, Orientation: [4]float64{0, 0, 0, 1}}})
//
// A Link does not sleep to let the world catch up: Show returns when the world has said
// where the bodies are and a picture of that moment, or of a later one, has come.
package gazebo
