// Package bags keeps what a robot saw and did: recordings of (image, action, image) transitions.
//
// A recording is a plain rosbag2 directory: metadata.yaml and MCAP data (profile ros2, CDR, schemas embedded), so
// ros2 bag info and ros2 bag play take it. It holds image topics, whatever else was recorded, and a topic of
// strips_wm_msgs/msg/Transition whose messages refer to images by topic and header.stamp.
//
//	camera, skills --> Writer --> directory --> Reader.Transitions --> learner
//	                                  |
//	                                  +--> Check --> Report;  Repair
//
// The Writer promises that a transition it acknowledged survives a kill at any instant: WriteTransition ends the
// chunk, writes it and syncs it before it returns. Split goes on in the next file of the same directory (run_0.mcap,
// run_1.mcap, ...; metadata.yaml lists them all). A Reader streams; images are loaded when asked for, also
// later and in any order. Pixels are decoded by others: Check is given a Decoder, and verifies every byte that
// carries meaning and says what is wrong and where, as Faults; Repair makes a whole recording of what is whole in a broken one. Split recordings, recordings without
// metadata.yaml, rosbag2's sqlite3 storage and folders of pictures with transitions.csv are read as well; Import makes a
// bag of such a folder.
package bags
