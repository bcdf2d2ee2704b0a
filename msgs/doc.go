// Package msgs has the ROS 2 messages that the nodes exchange and the bags contain: the project's
// own (strips_wm_msgs: .msg, .srv and .action files in this folder) and the standard ones that it
// needs (folder standard). go generate makes the structs and their codec from these files.
//
// The main type is [Message]. It writes itself to an [Encoder] and reads itself from a [Decoder],
// field by field, in CDR (XCDR version 1, OMG DDS-XTypes 1.3, 7.4.1). This is the encoding of ROS 2
// on the network and in bags:
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
// [New] makes a message from its ROS type name, and [Schema] gives its full definition for MCAP.
// [NewImage], [NewJPEG] and [NewPNG] make messages of images. Package models/pixels decodes images
// of cameras.
package msgs
