// Package dds carries ROS 2 messages over CycloneDDS, with the conventions of ROS 2 on the network.
// A node that uses it needs no ROS installation, exchanges messages with other ROS 2 nodes, and
// calls services of nodes on rmw_cyclonedds and on rmw_fastrtps, which have two forms of requests.
//
// The main type is [Transport], one DDS participant. It passes payloads unchanged: DDS knows only
// the name of their type, and package msgs encodes and decodes CDR:
//
//	Writer.Write(payload) --> sertype.c: one copy --> network --> sertype.c: fragments joined
//	    --> loop (one goroutine on one waitset) --> arrived(Sample)
//
// Each convention of ROS 2 over DDS has its own file: endpoint.go (topics, and names of types),
// service.go (requests and replies; identity.c has what rmw_fastrtps does differently), graph.go
// (nodes), security.go (enclaves), config.go (environment variables and distributions).
//
//	config, err := dds.ConfigFromEnv("")
//	transport, err := dds.Open(config, warn)
//
// Without environment variables a transport takes part in domain 0 on the subnet, as ROS 2 does.
// Set ROS_LOCALHOST_ONLY=1 or ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST to stay on this machine, or
// CYCLONEDDS_URI to decide by yourself.
package dds
