// Package cvbridge makes pictures of ROS 2's image messages, as cv_bridge does for C++: it ties package msgs, which
// knows nothing of pixels, to package pixels, which knows nothing of ROS.
//
//	*msgs.Image, *msgs.CompressedImage --RGB--> pixels.RGB
//
// Every program that looks at a camera or at a recording decodes through it.
package cvbridge
