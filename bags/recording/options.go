package recording

import (
	"log/slog"
	"time"

	"stripswm/bags"
	"stripswm/bags/pairing"
	"stripswm/msgs"
)

// Options of a Recorder.
type Options struct {
	Pairing     pairing.Options
	StatusTopic string
	AllFrames   bool // record every frame, not only those that transitions refer to

	Directory string // of a recording that is given no name; "" names it by date and time
	// go on with a recording that is in the directory (bags.Continue), in its next file
	Continue bool
	// bytes after which the bag's next file begins, looked at in Tick; 0 is never
	SplitSize     int64
	SplitDuration time.Duration // time after which the bag's next file begins; 0 is never
	MinFree       int64         // bytes on the disk below which recording ends
	Actions       int           // L, to say which actions were never tried; 0 if not known
	Names         []string      // of actions 1, 2, ..., written into each bag; nil if not known
	Camera        bags.Camera   // written into each bag, unless there is nothing to know

	Bag  bags.Options                    // TransitionTopic, and OpenFile for tests of failing disks
	Free func(dir string) (int64, error) // bytes free; the file system's answer if nil
	// images that came too fast to be handled, since ever; may be nil
	Lost func() uint64
	Log  *slog.Logger // slog.Default if nil

	// Acknowledged is told of each transition that is on disk, and again when it
	// was marked failed later. It must not call the Recorder.
	Acknowledged func(*msgs.Transition, pairing.RecordedAttempt)
	// Ended is told of each recording that has ended, for whatever reason.
	Ended func(Report)
}
