// Package sdf writes the simulated worlds as Gazebo worlds, from the scenes that the project's own camera draws.
//
//	sim.World --Scene--> bodies --World--> launch/worlds/NAME.sdf (SDF 1.7: Fortress, Harmonic, classic)
//	                            --Poses--> /world/NAME/set_pose, after each skill
//
// World gives a world in its initial state: table, camera and lamp, and a static model for each body of the scene,
// called body_00, body_01 and so on. Poses says where those models are in any state:
//
//	text, err := sdf.World(w, sdf.Default())
//	poses, err := sdf.Poses(w, state, scene.NewJitter(seed, 1))
//
// Worlds lists the worlds that can be written: a flat one, whose scenes are sheets, has no bodies.
// Coarse skills have the same table, and so the same file. Skills are kinematic: bodies have no collisions and are put where they belong. Shapes are made of boxes and
// cylinders, so that a world is one file; a cup is a ring of staves. The worlds name no plugins, whose names differ
// between Gazebo's versions: launch/gazebo.launch.py gives them as server configuration.
package sdf

//go:generate go run ./generate ../../../launch/worlds
