// Package recorder launches the simulated rig and the recorder as the processes
// that users run, talks to them over ROS 2 on this machine alone, and reads what
// they leave on disk: whole recordings, recordings of a rig with faults, and what
// is left after a kill.
//
// STRIPS_WM_TRANSITIONS, STRIPS_WM_KILLS and STRIPS_WM_SEED, in the environment, set how many
// transitions are recorded, and how often and at which instants the recorder is
// killed; STRIPS_WM_SECONDS, STRIPS_WM_FRAMES and STRIPS_WM_SPLIT_SIZE what the long
// recording is like. Each test has a ROS domain to itself: an
// acknowledgement does not say which recorder it came from.
package recorder
