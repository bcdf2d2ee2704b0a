// Package sim has the tabletop worlds: their ground truth and what stands before the camera.
//
// A [World] knows its states, applies opaque actions or refuses them, and sets the [scene.Scene] of
// a state, which package camera makes a picture of. [Explored] returns the [Graph] of the part that
// a recording explores; a [Graph.Walk] through it is the recording's script, and its shortest paths
// are what plans are measured against. The learner sees pictures and action ids only.
package sim
