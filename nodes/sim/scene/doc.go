// Package scene describes what stands before the camera: shapes, their poses and materials, the
// lamp, the viewpoint and the sensor; or a flat [Sheet] with coloured figures. It does not use
// pixels.
//
// The main type is [Scene]. A world of package sim builds one from a state and a [Jitter], which
// draws everything that differs between two images of one state. Package camera renders it:
//
//	sim.World, state, Jitter --> Scene --camera--> image
//
// Lengths are metres (a sheet has its own unit), angles are radians, colours are linear light.
package scene
