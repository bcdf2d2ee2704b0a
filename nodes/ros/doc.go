// Package ros is the interface of a ROS 2 node, independent of the transport.
//
// The main type is [Node]. It has a name, parameters, a clock, a log and, with [Manage], a
// lifecycle. [Advertise] and [Subscribe] make topics of a node, [Serve] and [NewClient] services,
// [ServeAction] and [NewActionClient] actions. Messages are the structs of package msgs. Names,
// remapping, parameters and quality of service follow ROS 2:
//
//	msgs.Image --Publisher--> CDR --Transport--> CDR --queue--> Subscription --> handler
//
//	node, err := ros.NewNode(transport, "camera", args, ros.Options{Namespace: "/rig"})
//	images, err := ros.Advertise[*msgs.Image](node, "image", ros.SensorData)
//	err = images.Publish(&msgs.Image{Height: 480, Width: 640})
//
// A [Transport] carries the payloads. Package dds needs no ROS installation. Package rclgo is for
// machines with ROS 2. Package rostest stays within the process. Package middleware opens the one
// that the program was built with.
//
// Each subscription and each service has its own goroutine, which calls the handler for one message
// after the other. Different handlers run at the same time: what they share needs a lock.
// Node.Close ends all of them.
package ros
