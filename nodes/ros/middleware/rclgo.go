//go:build rclgo

package middleware

import (
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rclgo"
)

// Open makes a context of the ROS 2 installation, which reads the environment itself and warns by
// itself.
func Open(enclave string, _ func(string)) (ros.Transport, error) { return rclgo.Open(enclave) }
