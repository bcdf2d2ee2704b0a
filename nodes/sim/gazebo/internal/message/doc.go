// Package message reads and writes the protobuf messages of Gazebo's transports. Packages classic
// and gz use the same messages with different field numbers.
//
// The main type is [Field], one field of a message:
//
//	err := message.Fields(data, func(f message.Field) error { return nil })
//
// A [Layout] has the field numbers of poses and images of one transport:
//
//	body, err := message.Classic.Body(f.Bytes)
package message
