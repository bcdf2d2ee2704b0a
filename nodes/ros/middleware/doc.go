// Package middleware opens the transport that the program was built with: dds, or rclgo with the build tag rclgo.
//
//	t, err := middleware.Open(args.Enclave, warn)
//	defer t.Close()
//	node, err := ros.NewNode(t, "recorder", args, ros.Options{})
package middleware
