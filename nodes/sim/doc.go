// Package sim has the simulated worlds: their true states, and what stands before the camera.
//
// Some worlds are tables with bodies (BlocksWorld, the dinner tables). Some are flat (the sliding
// puzzle, the robot with key and door, the lamps). They test a learner on images of several kinds.
//
// The main type is [World]. It lists its states, applies an action or refuses it, and builds the
// [scene.Scene] of a state, which package camera renders:
//
//	World --Explored--> Graph --RunPolicy--> steps --package record--> recording
//	World --Scene--> scene.Scene --package camera--> image
//
// [Explored] returns the [Graph] of the part of the world that a recording explores.
// [Graph.RunPolicy] is a path through this graph that a policy draws. Plans are compared with the
// graph's shortest paths. A learner sees images and action ids only.
package sim
