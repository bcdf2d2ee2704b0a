// Package ros is what a ROS 2 node may do, written once for every transport.
//
// A [Node] has a name, parameters, a clock, a log and a lifecycle if it wants one ([Manage]); with it are made what talks
// to other nodes: [Advertise] and [Subscribe] for topics, [Serve] and [NewClient] for services, [ServeAction] and
// [NewActionClient] for actions. Messages are the structs of package msgs; names, remapping, parameters and quality of
// service follow ROS 2.
//
//	msgs.Image --Publisher--> CDR --Transport--> CDR --queue--> Subscription --> handler(msgs.Image)
//
// A [Transport] carries the payloads: package dds needs no ROS installation, package rclgo is for machines with ROS 2,
// package rostest stays within the process. Package middleware chooses one when the program is built.
//
// Each subscription and each service has a goroutine of its own, in which its handler is called for one message after
// the other; different handlers run at the same time, so what they share needs a lock. Node.Close ends all of it.
package ros
