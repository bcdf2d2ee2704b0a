// Package classic links to Gazebo classic, version 11, over its own transport: TCP, with
// protobuf messages behind a length in hexadecimal digits. It needs nothing of Gazebo's.
//
// Its main function is Connect, which asks the master for the world. Poses go to
// its topic model/modify, which it reads five times a second; what it did comes back on
// pose/local/info with the world's time, and pictures bear theirs:
//
//	world, err := classic.Connect(ctx, classic.DefaultMaster, "blocksworld", func(p gazebo.Picture) { ... })
//	err = world.Show(ctx, bodies)
//
// The messages are those of Gazebo's msgs folder, of which the few fields in use are read
// and written here (messages.go, packets.go).
package classic
