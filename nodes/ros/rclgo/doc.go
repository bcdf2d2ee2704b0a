// Package rclgo carries ROS 2 messages over rclgo (github.com/tiiuae/rclgo), on machines with a ROS
// 2 installation. With the build tag rclgo its Transport replaces that of package dds. It uses the
// rmw that ROS is configured for:
//
//	source /opt/ros/humble/setup.bash && make ros
//
// rclgo makes contexts, nodes and endpoints. Its executor, its messages and its calls are not used:
// support.h waits, takes and sends, on rclgo's handles of rcl. Payloads are CDR, which package msgs
// encodes and decodes. Topics use the serialized calls of rcl. rcl has no such calls for services,
// which use C structs of the functions that rosidl generates:
//
//	Writer.Write(payload) --> rcl_publish_serialized_message
//	rcl_wait --> executor --> rcl_take_serialized_message --> arrived(Sample)
//	Responder.Reply(payload) --> rmw_deserialize --> rcl_send_response
//
// This version of rclgo has these faults:
//   - Spin takes one message a turn, and does not know endpoints that were made after it began.
//   - Send waits for the reply in the caller's goroutine, so that the caller cannot tell a request
//     that was not sent from one without an answer.
//   - Deserialize leaks memory.
//   - Its errors end with a Go stack trace.
//   - There is no call that waits for a service, and no event of incompatible quality of service.
package rclgo
