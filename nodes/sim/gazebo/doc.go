// Package gazebo is the simulated rig's connection to a world that runs in Gazebo classic 11: it
// sets the poses of bodies and receives the images of the world's camera. It speaks Gazebo's own
// transport, and needs no library of Gazebo. [Start] runs Gazebo's server without a window.
//
// The main type is [Link], a connection to a world:
//
//	poses --Link.Show--> Gazebo --images--> show(gazebo.Image)
//
//	link, err := gazebo.Connect(ctx, gazebo.DefaultMaster, "blocksworld", show)
//	err = link.Show(ctx, []gazebo.Body{{Name: "body_00", Orientation: [4]float64{0, 0, 0, 1}}})
//
// Show does not sleep. It returns when the world has reported the poses of the bodies, and an image
// of that simulation time or later has arrived. [Keep] connects again when Gazebo is restarted.
//
// The transport is TCP with protobuf messages, each after its length in hexadecimal digits. The
// master names worlds, and who publishes a topic (transport.go). Poses go to model/modify, which
// Gazebo reads five times a second; it reports them on pose/local/info with the simulation time,
// which images have too. messages.go reads and writes the fields of gazebo.msgs that are used.
//
// Later versions of Gazebo are reached through ros_gz, by package nodes/simrig/node.
package gazebo
