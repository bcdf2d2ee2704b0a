//go:build !rclgo

package middleware

import (
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/dds"
)

// Open joins the domain that the environment names (ROS_DOMAIN_ID and so on: see
// dds.ConfigFromEnv), in an enclave of SROS 2 or in none (""). Warn, if not nil, is told of what
// dds.Open warns of.
func Open(enclave string, warn func(string)) (ros.Transport, error) {
	c, err := dds.ConfigFromEnv(enclave)
	if err != nil {
		return nil, err
	}
	return dds.Open(c, warn)
}
