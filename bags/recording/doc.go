// Package recording is the recorder without ROS. It feeds a pairing.Pairer, writes the attempts to
// a bag, and counts what was recorded and what was lost.
//
// The main type is [Recorder]:
//
//	frames, statuses, resets --> Recorder --pairing.Pairer--> attempts --> bags.Writer
//
//	r := recording.New(recording.Options{Acknowledged: publish})
//	dir, err := r.Start("", time.Now())
//	r.Frame(frame)              // every image
//	r.Status(status, received)  // every skill status
//	r.Reset(why, received)      // when somebody changed the scene
//	r.Tick(now)                 // about once a second
//	report, err := r.Stop(time.Now())
//
// A recording is one rosbag2 directory; Options split it into several files. The Recorder writes an
// attempt with its two images and syncs it before it calls Acknowledged. So an acknowledged attempt
// survives a kill at any time. A reset is written before the attempts that follow it, and is on
// disk when the first of them is. A reset is also written where an attempt is missing from the bag.
//
// An image without a stamp gets that of its receipt, in the message too, and the log and the Report
// say so at the first. bags.ClocksTopic has how far the clocks of camera and executor were off.
//
// An attempt is lost if it has no image, or if the executor published something impossible. The
// [Report] counts it, and the log names it. Only a write that fails ends the recording: the bag is
// closed as well as the disk allows, and the Report says why.
package recording
