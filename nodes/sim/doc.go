// Package sim has the simulated worlds: their ground truth and what is before the camera.
//
// Some are tables with bodies on them (BlocksWorld and the dinner tables), some are flat (the sliding puzzle, the
// robot with key and door, the lamps), so that a learner is not only tried on pictures of one kind.
//
// A [World] knows its states, applies opaque actions or refuses them, and sets the [scene.Scene] of
// a state, which package camera makes a picture of. [Explored] returns the [Graph] of the part that
// a recording explores; a [Graph.Walk] through it is the recording's script, and its shortest paths
// are what plans are measured against. The learner sees pictures and action ids only.
package sim
