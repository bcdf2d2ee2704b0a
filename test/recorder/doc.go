// Package recorder tests the recorder as a process. It starts the simulated rig and the recorder as
// users do, communicates with them over ROS 2 on this machine, and reads the recordings: whole
// ones, recordings of a rig with faults, and what a kill leaves.
//
// Each test has its own ROS domain, because an acknowledgement does not say which recorder sent it.
// These environment variables change the tests:
//   - STRIPS_WM_TRANSITIONS: number of transitions to record
//   - STRIPS_WM_KILLS, STRIPS_WM_SEED: how often and when the recorder is killed
//   - STRIPS_WM_SECONDS, STRIPS_WM_FRAMES, STRIPS_WM_SPLIT_SIZE: the long recording
package recorder
