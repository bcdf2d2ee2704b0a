package dds

import "strings"

// ROS 2 marks topics, requests and replies by a prefix, and types by a namespace and an underscore.

func topicName(topic string) string      { return "rt" + topic }
func requestTopic(service string) string { return "rq" + service + "Request" }
func replyTopic(service string) string   { return "rr" + service + "Reply" }

// typeName is DDS's name of a ROS type: "sensor_msgs/msg/Image" is
// "sensor_msgs::msg::dds_::Image_".
func typeName(rosType string) string {
	i := strings.LastIndexByte(rosType, '/')
	return strings.ReplaceAll(rosType[:i+1], "/", "::") + "dds_::" + rosType[i+1:] + "_"
}
