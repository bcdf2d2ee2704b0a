// Package pixels turns camera pictures into what the networks take: RGB bytes
// of a fixed square size.
//
// The main type is RGB. Decode reads PNG and JPEG, FromImage takes a Go image,
// and RGB.Square shrinks by area averaging:
//
//	picture, err := pixels.Decode(png)
//	small, err := picture.Square(64) // 64*64*3 bytes for a network
//
// Learner and planner share this package, so that a network meets the same
// pixels on the robot as in training. OpenCV does the work.
package pixels
