// Package recorder launches the simulated rig and the recorder as the processes
// that users run, talks to them over ROS 2 on this machine alone, and reads what
// they leave on disk: whole recordings, recordings of a rig with faults, and what
// is left after a kill.
//
// STRIPS_WM_TRANSITIONS and STRIPS_WM_KILLS, in the environment, set how many
// transitions are recorded and how often the recorder is killed.
package recorder
