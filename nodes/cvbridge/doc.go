// Package cvbridge converts ROS 2 image messages to images, as cv_bridge does for C++. It connects
// package msgs, which does not decode pixels, and package pixels, which does not use ROS.
//
// The main function is [RGB]:
//
//	*msgs.Image, *msgs.CompressedImage --RGB--> pixels.RGB
//
//	image, err := cvbridge.RGB(message, 0)
//
// [Part] returns the region of an image that a pixels.Camera describes. [Check] reads the header of
// a message without decoding the pixels. All programs that read a camera or a recording use this
// package.
package cvbridge
