//go:build !rclgo

package middleware

import (
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/dds"
)

// Open joins the domain that the environment names (ROS_DOMAIN_ID and so on: see dds.ConfigFromEnv). Warn, if not nil,
// is told of what will make messages get lost on this machine.
func Open(warn func(string)) (ros.Transport, error) {
	c, err := dds.ConfigFromEnv()
	if err != nil {
		return nil, err
	}
	return dds.Open(c, warn)
}
