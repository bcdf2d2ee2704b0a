// Package gz links to a world of Gazebo Fortress or Harmonic over gz-transport 11 to 13,
// without its libraries.
//
// Its main function is Connect, which makes a gazebo.World of a transport:
//
//	w, err := gz.Connect(ctx, gz.FromEnvironment(), "blocksworld", show)
//
// How it works: processes tell one another over UDP multicast what topics and services
// they have (discovery.go), and exchange messages over ZeroMQ (node.go). Gazebo is asked by
// /world/NAME/set_pose_vector to put bodies in their places, says on /world/NAME/pose/info
// where they are, and sends its camera's pictures on /camera/image_raw.
//
// Gazebo has to run on the same interface and in the same partition, as for every program that uses
// gz-transport. Here that is the loopback interface, unless GZ_IP says otherwise: start Gazebo with
// GZ_IP=127.0.0.1 too (IGN_IP in Fortress).
package gz
