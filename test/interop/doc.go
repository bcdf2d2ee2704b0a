// Package interop tests the nodes' transport with other implementations of ROS 2's network
// protocol, and with itself in other processes: names, types, quality of service, late joiners, and
// what happens when a process dies.
//
// The peers are the test binary itself in a role (peer_test.go), @foxglove/rtps in TypeScript
// (foxglove/, after `npm ci` there), and Fast DDS in C++ (fastdds/, which the test compiles). The
// tests use the loopback interface and ROS domains of their own.
package interop
