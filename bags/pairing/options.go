package pairing

import "time"

// Options of a Pairer. Zero fields take the defaults; negative ones mean none.
type Options struct {
	Settle time.Duration // from a skill's end to the first frame that may be after it; 300 ms
	// grey levels a cell may change in a scene at rest; 6. Negative: no check
	MotionThreshold float64
	MotionWindow    time.Duration // over which motion is looked for; 100 ms
	Contrast        float64       // grey levels below which a frame is blank and not used; 4
	MaxAge          time.Duration // of the frame before, when the skill starts; 1 s
	Timeout         time.Duration // from a skill's end, for the scene to come to rest; 5 s
	History         time.Duration // of frames kept, which bounds how late a status may come; 2 s
	Memory          int           // bytes that these may take, or less of them are kept; 1 GiB
}

func (o Options) withDefaults() Options {
	or(&o.Settle, 300*time.Millisecond)
	or(&o.MotionThreshold, 6)
	or(&o.MotionWindow, 100*time.Millisecond)
	or(&o.Contrast, 4)
	or(&o.MaxAge, time.Second)
	or(&o.Timeout, 5*time.Second)
	or(&o.History, 2*time.Second)
	or(&o.Memory, 1<<30)
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
