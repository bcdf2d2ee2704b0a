// Package bags writes and reads recordings of (image, action, image) transitions.
//
// A recording is a rosbag2 directory: metadata.yaml and MCAP data (profile ros2, CDR, schemas
// embedded), so that ros2 bag info and ros2 bag play read it. It contains image topics, other
// topics that were recorded, and a topic of strips_wm_msgs/msg/Transition. A transition refers to
// its images by topic and header.stamp.
//
// The main types are [Writer] and [Reader]:
//
//	camera, skills --> Writer --> directory --> Reader.Transitions --> learner
//	                                  |
//	                                  +--> Check --> Report;  Repair
//
//	w, err := bags.Create("runs/bag", bags.Options{})
//	err = w.WriteImage("/camera/image", image)
//	err = w.WriteTransition(transition)
//	err = w.Close()
//
//	r, err := bags.Open("runs/bag")
//	for t, err := range r.Transitions(ctx) {
//		after, err := t.After.Message() // *msgs.Image or *msgs.CompressedImage
//	}
//
// A transition that the Writer has acknowledged survives a kill at any time: WriteTransition ends
// the chunk, writes it and syncs it before it returns. Split continues in the next file of the same
// directory (run_0.mcap, run_1.mcap, ...; metadata.yaml lists them all).
//
// A Reader streams. It loads images when they are asked for, also later and in any order. It also
// reads recordings in several files, recordings without metadata.yaml, rosbag2's sqlite3 storage,
// and folders of images with transitions.csv. [Import] makes a bag of such a folder.
//
// [Check] verifies every byte that has a meaning and reports each [Fault] with its place. [Repair]
// makes a whole recording of the intact parts of a damaged one. This package does not decode
// pixels: both take a [Decoder].
package bags
