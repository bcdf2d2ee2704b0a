// Package rostest is a ROS 2 domain inside one process, for tests of nodes. It needs no network and
// no cgo, and nothing has to be waited for.
//
// The main type is [Bus], the domain. Each [Bus.Join] returns the transport of one process. Names,
// types and quality of service match as they do between real processes. A message arrives before
// Write returns:
//
//	publisher --Write--> Bus --copy--> queue of each matching reader
//
//	node := rostest.Node(t, rostest.NewBus().Join(), "recorder", &rostest.Log{}, "rate:=30.0")
//
// [Log] collects what a node writes to its log, [Call] calls a service, and [Conform] tests a
// transport.
package rostest
