// Package launch tests the nodes as processes on one machine, as launch files start them. Rig,
// planner and recorder find each other over DDS. The tests reach goals in closed loop, also with
// faults, and stop the nodes.
//
// The main type is system: the processes of one test, and a node of the test itself, in a ROS
// domain of their own on the loopback interface. The tests mostly wait, so they run in parallel.
//
// testdata/bundle was learned by `stripswm demo --world blocksworld --seed 1`. All tests use it,
// except TestFromNothingToGoals, which records, learns and plans. In TestExploreToGoals an explorer
// chooses the skills; it runs if STRIPSWM_EXPLORE is set.
//
// STRIPSWM_GOALS is the number of goals for each fault. STRIPSWM_BRINGUPS is how often nodes are
// started and stopped.
package launch
