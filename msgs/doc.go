// Package msgs holds the ROS 2 messages that the nodes exchange and the bags record: the project's own
// (strips_wm_msgs: .msg, .srv and .action files in this folder) and the standard ones it needs (folder standard).
//
// The structs and their codec are generated from those files by go generate. One idea carries the package: a
// Message writes itself to an Encoder and reads itself from a Decoder, field by field, in CDR (XCDR version 1,
// OMG DDS-XTypes 1.3, 7.4.1), the encoding of ROS 2 on the wire and in bags. Marshal makes little-endian payloads;
// Unmarshal takes both byte orders and refuses, with an error that wraps ErrMalformed, whatever does not fit:
// truncated payloads, counts past the end, strings without an end. UnmarshalNoCopy leaves pixels where they are.
//
//	struct --Marshal--> payload --> DDS sample, message in a bag --> payload --Unmarshal--> struct
//
// New makes a message from its ROS type name, Schema gives its full definition for MCAP. NewImage, NewJPEG and NewPNG
// make messages of pictures; what cameras send is decoded by package models/pixels.
package msgs
