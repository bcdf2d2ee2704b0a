// Package message reads and writes what Gazebo's transports carry: protobuf messages, of
// which classic and gz have the same with fields numbered differently.
//
// Its main type is Field, one of a message:
//
//	err := message.Fields(data, func(f message.Field) error { ... })
//
// Numbers of what both have are in a Layout:
//
//	body, err := message.Classic.Body(f.Bytes)
package message
