// Package ros2 tests the nodes with a real ROS 2: the one that is sourced, or else one in /opt/ros
// or .deps/ros/jazzy. Without one its tests are skipped. It builds the messages and the package
// with colcon into bin/messages and bin/ros2, once. docs/ros2.md says what each test does.
//
// The main type is graph, a ROS domain of one test: the transport of this project's nodes and the
// rmw of all others. Most tests run with each combination that works. What crosses rmws runs under
// a limit of memory.
package ros2
