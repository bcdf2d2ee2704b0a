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

	taken    time.Time // the earliest possible, by the clock of Received
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

// add appends a frame. It forgets frames older than Options.History, and the oldest ones while all
// take more than Options.Memory, except those within which motion is looked for.
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

// last is the newest frame for which the condition holds; nil if there is none.
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

// A View is a frame in small: the mean grey level, 0 to 255, of each cell of a grid. Noise averages
// out in it; a moved object does not.
type View [cells * cells]float32

// ViewOf makes the View of an image of width x height pixels of 3 bytes, row by row. Grey is the
// mean of the three bytes, which is enough to see motion.
func ViewOf(rgb []uint8, width, height int) View {
	var v View
	for i := range v {
		x0, x1 := span(i%cells, width)
		y0, y1 := span(i/cells, height)
		dx, dy := (x1-x0+samples-1)/samples, (y1-y0+samples-1)/samples
		sum, n := 0, 0
		for y := y0; y < y1; y += dy {
			for x := x0; x < x1; x += dx {
				p := rgb[3*(y*width+x):]
				sum += int(p[0]) + int(p[1]) + int(p[2])
				n += 3
			}
		}
		v[i] = float32(sum) / float32(n)
	}
	return v
}

// span is the range of pixels of cell i along a side, one at least.
func span(i, side int) (from, to int) {
	from = i * side / cells
	return from, max((i+1)*side/cells, from+1)
}

// Motion is the largest change of a cell between two views, in grey levels.
func (v *View) Motion(w *View) float64 {
	most := float32(0)
	for i := range v {
		most = max(most, v[i]-w[i], w[i]-v[i])
	}
	return float64(most)
}

// Contrast is the difference of the brightest and the darkest cell, in grey
// levels. A covered or black camera has next to none.
func (v *View) Contrast() float64 {
	low, high := v[0], v[0]
	for _, level := range v {
		low, high = min(low, level), max(high, level)
	}
	return float64(high - low)
}
