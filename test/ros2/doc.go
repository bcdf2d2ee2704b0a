// Package ros2 tests the nodes with a real ROS 2: the one that is sourced, or else one in /opt/ros
// or /opt/strips_ros2. Without one its tests are skipped. It builds the messages with colcon into
// bin/ros2, once, and has:
//   - rclgo_test.go: the transport rclgo, built against it, with each rmw that it has,
//   - beside_test.go: nodes on CycloneDDS beside Fast DDS, under a limit of memory,
//   - graph_test.go: nodes that were started in a terminal where ROS 2 is not sourced,
//   - launch_test.go: `ros2 launch`, an rclpy client, `ros2 bag`.
package ros2
