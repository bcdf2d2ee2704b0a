// Package augment varies training images, so that networks do not overfit the nuisance of a
// recording.
//
// The main type is Variation. Its method Apply writes a variation of an image, drawn from a random
// number generator, so that the same seed gives the same image. Camera changes what a camera
// changes between two images of one scene: position, brightness, tint, noise. Scene also moves and
// shades the parts of the image, as if the scene had been set up again.
package augment
