// Package dds carries ROS 2 messages over CycloneDDS, by ROS 2's conventions on the wire: a node that uses it needs no
// ROS installation and talks to any ROS 2 graph.
//
// A [Transport] is one DDS participant. Payloads pass through it as they are, for their type to DDS is nothing but a
// name; the CDR is package msgs' business:
//
//	Writer.Write(payload) --> sertype.c: one copy --> network --> sertype.c: fragments joined
//	    --> loop (one goroutine on one waitset) --> arrived(Sample)
//
// What DDS gives ROS 2 by convention stands in one file each: names.go (topics and types), service.go (requests and
// replies), discovery.go and graph.go (nodes), config.go (the environment variables that ROS 2 users set).
//
// Without any of them set, a transport takes part in domain 0 on the subnet, as ROS 2 does: set ROS_LOCALHOST_ONLY=1 or
// ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST to stay on this machine, CYCLONEDDS_URI to choose an interface.
package dds
