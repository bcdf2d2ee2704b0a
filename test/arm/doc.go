// Package arm tests this project on a robot arm in MuJoCo, where contact decides what becomes of
// objects. The cell is written in Python:
//
//	cell.py      table, pads, objects, arm and skills     eye.py   its camera
//	node.py      the arm as a ROS 2 node, by rclpy        judge.py what is true of it
//	client.py    calls the arm and the planner            measure.py, week.py, film.py
//
// `make test-arm` records, learns, and has the planner reach goals on it. The tests here are the
// short part. They are skipped without what `make setup-arm` sets up.
package arm
