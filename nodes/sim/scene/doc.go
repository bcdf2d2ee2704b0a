// Package scene describes what stands before the camera: shapes, where they are, what they are made
// of, the lamp, the viewpoint and the sensor; or a flat [Sheet] with coloured figures. It knows nothing of pixels.
//
// A world of package sim builds a [Scene] from a state and a [Jitter], which draws everything that
// differs between two pictures of one state; package camera turns the scene into an image. Lengths
// are metres (a sheet has its own), angles radians, colours linear light.
package scene
