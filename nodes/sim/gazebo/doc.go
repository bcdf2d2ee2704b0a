// Package gazebo is the interface of the simulated rig to a running Gazebo world: it sets the poses
// of bodies and receives the images of the world's camera.
//
// The main type is [Link], a connection to a world. [World] implements it over a [Transport].
// Package classic has the transport of Gazebo 11, and package gz that of Fortress and Harmonic:
//
//	poses --Link.Show--> Gazebo --images--> show(gazebo.Image)
//
//	link, err := classic.Connect(ctx, classic.DefaultMaster, "blocksworld", show)
//	err = link.Show(ctx, []gazebo.Body{{Name: "body_00", Orientation: [4]float64{0, 0, 0, 1}}})
//
// Show does not sleep. It returns when the world has reported the poses of the bodies, and an image
// of that simulation time or later has arrived. [Keep] connects again when Gazebo is restarted.
package gazebo
