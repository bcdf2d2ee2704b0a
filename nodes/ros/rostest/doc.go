// Package rostest has a ROS 2 domain inside one process, for tests of nodes: no network, no cgo, nothing to wait for.
//
// A [Bus] is the domain; each [Bus.Join] is one process of it. Names, types and quality of service match as they do
// between real processes; a message arrives before Write returns.
//
//	publisher --Write--> Bus --copy--> every matching reader's queue
package rostest
