package pairing

import (
	"slices"
	"time"
)

// A Frame is one image of the camera.
type Frame struct {
	Stamp    time.Time // of its header, by the camera's clock
	FrameID  string    // of its header
	Received time.Time // by the clock that Pairer.Status is given, which orders all
	// Unstamped says that its header has no stamp: Stamp is the time of receipt.
	Unstamped bool
	Topic     string // absolute name of the one it came on
	Type      string // of the message: "sensor_msgs/msg/Image" or "sensor_msgs/msg/CompressedImage"
	Payload   []byte // the message as it came, for those who record it
	Writer    uint64 // tells the topic's publishers apart
	Number    uint64 // the publisher's count of its messages; 0 where there is none
	// Thumbnail makes the frame's View. It is called when the frame matters, and at
	// most once: most frames are never looked at.
	Thumbnail func() (View, error)

	taken    time.Time // at the earliest, by that clock
	examined bool
	view     View
	err      error
}

func (f *Frame) thumbnail() (*View, error) {
	if !f.examined {
		f.examined = true
		f.view, f.err = f.Thumbnail()
	}
	return &f.view, f.err
}

// frames are the newest ones, oldest first.
type frames []*Frame

// add appends a frame and forgets those older than history, and then the oldest while all take more
// than memory, but for those that motion is told by.
func (fs frames) add(f *Frame, o Options) frames {
	size := len(f.Payload)
	for _, kept := range fs {
		size += len(kept.Payload)
	}
	old := 0
	for ; old < len(fs); old++ {
		age := f.Received.Sub(fs[old].Received)
		if age <= o.History && (size <= o.Memory || age <= 2*o.MotionWindow) {
			break
		}
		size -= len(fs[old].Payload)
		fs[old] = nil // let go of the payload
	}
	return append(fs[old:], f)
}

// last is the last frame that is so; nil if there is none.
func (fs frames) last(is func(*Frame) bool) *Frame {
	for _, f := range slices.Backward(fs) {
		if is(f) {
			return f
		}
	}
	return nil
}

func (fs frames) newest() time.Time {
	if len(fs) == 0 {
		return time.Time{}
	}
	return fs[len(fs)-1].Received
}
