// Package middleware opens the transport that the program was built with: package dds, or package
// rclgo with the build tag rclgo.
//
// The main function is [Main], the main function of a node's program. It reads --ros-args, makes
// the node, runs it until ^C or SIGTERM, and sets the exit code:
//
//	func main() { middleware.Main("recorder", run) }
//
//	func run(ctx context.Context, n *ros.Node) error { <-ctx.Done(); return nil }
//
// Programs that are no node use [Open]:
//
//	t, err := middleware.Open(args.Enclave, warn)
//	defer t.Close()
//	node, err := ros.NewNode(t, "tool", args, ros.Options{})
package middleware
