// Package rclgo carries ROS 2 messages over rclgo (github.com/tiiuae/rclgo), on machines with a ROS 2 installation: with
// the build tag rclgo, its Transport takes the place of package dds, and the rmw that ROS is configured for is used.
//
//	source /opt/ros/humble/setup.bash && make ros
//
// rclgo makes contexts, nodes and endpoints; its executor, its messages and its calls are not used. What waits, takes and sends is
// support.h, on the handles that rclgo has of rcl. Payloads pass in CDR, so that messages are encoded and decoded by package msgs
// alone: topics by rcl's serialized calls, services, for which rcl has none, by C structs of the functions that rosidl generates.
//
//	Writer.Write(payload) --> rcl_publish_serialized_message       Responder.Reply(payload) --> rmw_deserialize --> rcl_send_response
//	rcl_wait --> executor --> rcl_take_serialized_message --> arrived(Sample)
//
// What is amiss with this version of rclgo's own: Spin takes one message a turn and knows no endpoint made after it began; Send
// waits for the reply in the caller's goroutine, so that an unsent request and an unanswered one look alike; Deserialize leaks;
// there is no waiting for a service, and no event of incompatible quality of service.
package rclgo
