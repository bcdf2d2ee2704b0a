// Package interop holds the nodes' transport against other implementations of ROS 2's wire protocol, and against itself
// in other processes: names, types, quality of service, late joiners, and what happens when a process dies.
//
// The peers are this test's own binary in a role (peer_test.go), @foxglove/rtps in TypeScript (foxglove/, after
// `npm ci` there) and Fast DDS in C++ (fastdds/, which the test compiles). Everything stays on the loopback interface, in
// ROS domains of its own.
package interop
