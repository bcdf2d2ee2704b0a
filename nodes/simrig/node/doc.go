// Package node is the simulated rig as a ROS 2 node: a simulated camera and a skill executor.
//
//	execute_skill --> Node --> camera/image_raw, camera/image_raw/compressed, camera/camera_info,
//	                           skill_status, scene_reset, /diagnostics
//
// The main type is [Node]. It connects topics, action, services and parameters to a workcell.Cell:
//
//	_, err := node.New(n) // n is a *ros.Node; closing it ends the rig
//
// The parameter world_backend says who draws the world:
//   - sim: the rig's own camera
//   - gazebo: Gazebo classic, over its transport
//   - ros_gz: a later Gazebo behind ros_gz_bridge, over the service /world/NAME/set_pose
//
// With a Gazebo the rig keeps the true state. After each skill it moves the bodies of the Gazebo
// world (package sdf) to their new poses.
//
// The rig can inject faults with the parameters fail_probability, slip_probability,
// move_probability and status_delay, and the services ~/fail_next, ~/slip_next, ~/move_object,
// ~/dropout and ~/blackout. An object that is moved by hand is a fault: no message announces it.
//
// Services for tests are ~/reset (which publishes scene_reset), ~/state, ~/new_goal (which
// publishes ~/goal_image) and ~/goal_reached. The topics that learner and planner subscribe to
// contain no ground truth.
package node
