package pairing

import "time"

// Options of a Pairer. A zero field takes the default below; a negative one means none.
type Options struct {
	// Settle is the time from a skill's end to the first frame that may be after it.
	Settle time.Duration
	// MotionThreshold is by how many grey levels a cell of the View may change in a scene at rest.
	// None does not check.
	MotionThreshold float64
	// MotionWindow is the time over which motion is looked for.
	MotionWindow time.Duration
	// Contrast is the number of grey levels below which a frame is blank, and not used.
	Contrast float64
	// MaxAge is how old the frame before may be when the skill starts.
	MaxAge time.Duration
	// Timeout is how long after a skill's end the scene may take to come to rest.
	Timeout time.Duration
	// History is for how long frames are kept, and so how late a status may come.
	History time.Duration
	// Memory is how many bytes these frames may take; if they take more, fewer are kept.
	Memory int
}

const (
	// Time for what was released to stop swinging. A tenth of it relies on MotionThreshold alone; ten
	// times of it costs three seconds of robot time an attempt.
	defaultSettle = 300 * time.Millisecond
	// Noise changes a cell by less than 6 grey levels of 255, and an object that moves by its own
	// width by more than 10 (TestViewsShowMotionAndNotNoise).
	defaultMotionThreshold = 6
	// Three frames at 30 Hz. Over one frame, a slow motion looks like noise.
	defaultMotionWindow = 100 * time.Millisecond
	// A covered camera has next to no contrast; a table with one object on it has more than 10.
	defaultContrast = 4
	// The scene may have changed since an older image. A camera that takes one every few seconds
	// needs more.
	defaultMaxAge = time.Second
	// What has not come to rest by then rarely does: somebody works in the scene, or the camera moves.
	defaultTimeout = 5 * time.Second
	// The longest that a message is thought to be under way (clocks.Late).
	defaultHistory = 2 * time.Second
	// Two seconds of a 4K camera at 20 Hz, not compressed.
	defaultMemory = 1 << 30

	// cells is the side of a View's grid. An object of a 24th of the image's width still changes a
	// cell by more than the motion threshold.
	cells = 16
	// samples is how many pixels a side are averaged in a cell, at most: 25 of them leave a fifth of
	// the noise.
	samples = 5
	// remembered is how many executions are known to be done with, so that a repeated status is not
	// taken for a new one. Executors repeat a status for seconds.
	remembered = 64
)

// Defaults are the Options that zero fields stand for.
func Defaults() Options { return Options{}.withDefaults() }

func (o Options) withDefaults() Options {
	or(&o.Settle, defaultSettle)
	or(&o.MotionThreshold, defaultMotionThreshold)
	or(&o.MotionWindow, defaultMotionWindow)
	or(&o.Contrast, defaultContrast)
	or(&o.MaxAge, defaultMaxAge)
	or(&o.Timeout, defaultTimeout)
	or(&o.History, defaultHistory)
	or(&o.Memory, defaultMemory)
	return o
}

func or[T time.Duration | float64 | int](field *T, value T) {
	switch {
	case *field == 0:
		*field = value
	case *field < 0:
		*field = 0
	}
}
