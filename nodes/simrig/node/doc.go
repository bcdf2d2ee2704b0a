// Package node is the simulated rig as a ROS 2 node.
//
//	execute_skill --> Node --> camera/image_raw, camera/image_raw/compressed, camera/camera_info, skill_status, scene_reset, /diagnostics
//
// The main type is Node, which wires topics, the action, services and parameters
// to a workcell.Cell:
//
//	_, err := node.New(n) // n is a *ros.Node, with which it ends
//
// A stage has the world before a camera, as world_backend says: the rig's own (sim), Gazebo classic over its transport
// (gazebo), Gazebo Fortress or Harmonic over theirs (gz), or a Gazebo behind ros_gz_bridge, through the service /world/NAME/set_pose (ros_gz). With a Gazebo the rig
// keeps the truth, and after each skill has it put the bodies of the world of its name (package sdf) where they are now.
//
// Faults: parameters fail_probability, slip_probability, move_probability and
// status_delay; services ~/fail_next, ~/slip_next, ~/move_object, ~/dropout and
// ~/blackout. For tests there are ~/reset (which says so on scene_reset), ~/state,
// ~/new_goal (which publishes ~/goal_image) and ~/goal_reached. An object that is
// moved by hand is a fault: nothing says so. What a learner or planner subscribes
// to holds no ground truth.
package node
