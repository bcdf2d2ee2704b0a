// Package classic connects to Gazebo classic, version 11, over its own transport: TCP, with
// protobuf messages that follow their length in hexadecimal digits. It needs no library of Gazebo.
//
// The main function is [Connect]. It asks the Gazebo master for the world and returns a
// gazebo.Link:
//
//	link, err := classic.Connect(ctx, classic.DefaultMaster, "blocksworld", show)
//	err = link.Show(ctx, bodies)
//
// Poses go to Gazebo's topic model/modify, which it reads five times a second. Gazebo reports the
// new poses on pose/local/info with the simulation time. Images have the simulation time too.
//
// The messages are those of Gazebo's folder msgs. messages.go and packets.go read and write only
// the fields that are used.
package classic
