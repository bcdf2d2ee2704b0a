// Package sdf writes the simulated worlds as Gazebo worlds. It reads the same scenes that the
// project's own camera renders:
//
//	sim.World --Scene--> bodies --World--> launch/worlds/NAME.sdf (SDF 1.7)
//	                            --Poses--> /world/NAME/set_pose, after each skill
//
// [World] writes a world in its initial state: table, camera and lamp, and a static model for each
// body of the scene, called body_00, body_01 and so on. [Poses] returns the poses of these models
// in any state:
//
//	text, err := sdf.World(w, sdf.Default())
//	poses, err := sdf.Poses(w, state, scene.NewJitter(seed, 1))
//
// SDF 1.7 is read by Gazebo classic, Fortress and Harmonic. [Worlds] lists the worlds that can be
// written. A flat world has no bodies and is not among them. A world with state-dependent skills
// has the same table, and so the same file.
//
// Skills are kinematic: bodies have no collisions, and the rig sets their poses. Shapes consist of
// boxes and cylinders, so that a world is one file; a cup is a ring of thin boxes. The files name
// no plugins, because their names differ between versions of Gazebo: launch/gazebo.launch.py passes
// them as server configuration.
package sdf

//go:generate go run ./generate ../../../launch/worlds
