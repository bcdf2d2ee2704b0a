// Package gz connects to a world of Gazebo Fortress or Harmonic over gz-transport 11 to 13, without
// Gazebo's libraries.
//
// The main function is [Connect], which returns a gazebo.Link:
//
//	link, err := gz.Connect(ctx, gz.FromEnvironment(), "blocksworld", show)
//	err = link.Show(ctx, bodies)
//
// Processes announce their topics and services over UDP multicast (discovery.go), and exchange
// messages over ZeroMQ (node.go). The service /world/NAME/set_pose_vector sets poses. Gazebo
// reports poses on /world/NAME/pose/info and sends images on /camera/image_raw.
//
// Gazebo has to run on the same interface and in the same partition, as for every program that uses
// gz-transport. The default here is the loopback interface; GZ_IP chooses another. Start Gazebo
// with GZ_IP=127.0.0.1 too (IGN_IP in Fortress).
package gz
