// Package camera hears a camera as ROS 2 has them: its images come on a topic as sensor_msgs/Image, or compressed on
// the topic beside it, as image_transport names it, and which of the two need not be said.
//
//	<topic>            (Image)           --+
//	                                       +-- Camera --> Image, those that can be read
//	<topic>/compressed (CompressedImage) --+
//
// The main type is Camera:
//
//	c, err := camera.Open(node, "camera/image_raw", camera.Auto, 5, func(i camera.Image) { picture, err := i.RGB(0) })
//	now, ever := c.Since() // what came, and why the rest cannot be read
//
// An image is checked, not decoded: most are never looked at.
package camera
