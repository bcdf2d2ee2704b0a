// Package msgs has the ROS 2 messages that the nodes exchange and the bags contain: the project's
// own (strips_wm_msgs: .msg, .srv and .action files in this folder) and the standard ones that it
// needs (folder standard).
//
// A [Message] is a Go struct with the fields of its definition. The codec walks over the struct by
// reflection and writes CDR (XCDR version 1, OMG DDS-XTypes 1.3, 7.4.1), the encoding of ROS 2 on
// the network and in bags:
//
//	struct --Marshal--> payload --> DDS sample, message in a bag --> payload --Unmarshal--> struct
//
//	payload, err := msgs.Marshal(&msgs.Transition{ImageTopic: "/camera/image", Action: 7})
//	var t msgs.Transition
//	err = msgs.Unmarshal(payload, &t)
//
// [Marshal] makes little-endian payloads. [Unmarshal] reads both byte orders. It returns an error
// that wraps [ErrMalformed] for truncated payloads, counts past the end, and strings without an
// end. [UnmarshalNoCopy] does not copy pixels.
//
// To add a message, add its definition file, a struct with a ROSType method, and the struct to one
// of the lists stripsWM, standard and node. A test compares structs and constants with the files.
//
// [New] makes a message from its ROS type name, [Schema] gives its full definition for MCAP, and
// [TypeHash] the hash by which ROS 2 compares types. [NewImage], [NewJPEG] and [NewPNG] make
// messages of images. Package models/pixels decodes images of cameras.
package msgs
