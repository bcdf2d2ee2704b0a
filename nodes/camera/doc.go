// Package camera subscribes to a camera. Its images arrive as sensor_msgs/Image on a topic, or
// compressed on the topic beside it, with the name that image_transport gives it. The caller need
// not know which of the two exists:
//
//	<topic>            (Image)           --+
//	                                       +--> Camera --> Image, those that can be read
//	<topic>/compressed (CompressedImage) --+
//
// The main type is [Camera]:
//
//	c, err := camera.Open(node, "camera/image_raw", camera.Auto, 5, func(i camera.Image) {
//		image, err := i.RGB(0)
//	})
//	now, ever := c.Since() // what arrived, and why the rest cannot be read
//
// [Latest] keeps the newest image, and waits for one that was taken after something happened.
//
// Image.Taken is when, at the earliest, an image was taken, by the node's clock (package clocks).
// Camera.Clock says how far the camera's clock is from it, for /diagnostics.
//
// The package checks each message and does not decode it: most images are never used.
package camera
