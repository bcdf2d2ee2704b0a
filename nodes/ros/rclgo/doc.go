// Package rclgo carries ROS 2 messages over rclgo (github.com/tiiuae/rclgo), on machines with a ROS 2 installation: with
// the build tag rclgo, its Transport takes the place of package dds, and the rmw that ROS is configured for is used.
//
//	source /opt/ros/humble/setup.bash && make ros
//
// Payloads pass in CDR here too, by rclgo's serialized calls, so that messages are encoded and decoded by package msgs
// alone. What rclgo does with messages of services as C structs, support.c does for every type, by the functions that
// rosidl generates: no Go code is generated for rclgo.
//
//	Writer.Write(payload) --> PublishSerialized --> rmw        Responder.Reply(payload) --> rmw_deserialize --> C struct --> rcl
//
// Faults of this version of rclgo that the package works round: endpoints made while it spins hear nothing, so it spins
// anew after each change; its Deserialize leaks, so support.c has its own; it reports the end of a spin as an error, and
// wakes for nothing; it cannot wait for a service, so the graph is asked. It does not tell of incompatible quality of
// service: only the log of the rmw does.
package rclgo
