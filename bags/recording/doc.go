// Package recording is the recorder without ROS: it feeds a pairing.Pairer,
// writes what comes out of it to a bag and keeps the books.
//
// The main type is Recorder:
//
//	r := recording.New(recording.Options{Acknowledged: publish})
//	dir, err := r.Start("", time.Now())
//	r.Frame(frame)              // every image
//	r.Status(status, received)  // every skill status
//	r.Reset(why, received)      // where somebody changed the scene
//	r.Tick(now)                 // about once a second
//	report, err := r.Stop(time.Now())
//
// A recording is one rosbag2 directory; Options split it into several files. An
// attempt is written with its two images and synced before Acknowledged hears of
// it, so what was acknowledged survives a kill at any instant. A reset lies before
// the attempts that come after it, and is on disk when the first of them is; one is
// written, too, where an attempt is missing from the bag. What cannot be recorded, as it
// has no picture or the executor said something impossible, is lost: the Report counts it
// and the log names it. Only a write that fails ends the recording: its bag is closed as well as the
// disk allows, and the Report says why.
package recording
