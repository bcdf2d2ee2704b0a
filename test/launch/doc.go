// Package launch tries the nodes as processes on one machine, as launch files
// start them: rig, planner and recorder find each other over DDS, goals are
// reached in closed loop, also with faults, and everything stops when told to.
// TestFromNothingToGoals begins without a bundle: it records, learns and plans.
//
// The main type is system: the processes of one test and a node of the test's
// own that asks them for things, in a ROS domain of their own on the loopback
// interface. The tests wait more than they compute, so they run in parallel.
// testdata/bundle, of all but TestFromNothingToGoals, was learned by
// `stripswm demo --world blocksworld --seed 1`.
//
// TestExploreToGoals has nobody choose what is tried; it runs where STRIPSWM_EXPLORE is set.
//
// STRIPSWM_GOALS and STRIPSWM_BRINGUPS set how many goals are tried with each
// fault and how often nodes are started and stopped.
package launch
