package recording

import (
	"slices"
	"time"
)

// A Cadence is how regularly the camera's images came.
type Cadence struct {
	Frames   int
	Bytes    int64         // of their messages
	Gaps     int           // intervals of more than gapFactor times the usual one
	Missing  int           // frames that would have filled the gaps
	Longest  time.Duration // interval between two frames
	Interval time.Duration // the usual one
	// Latency is the time from a frame's stamp to its receipt, on average and at
	// most. It includes the difference of the two clocks.
	Latency, MaxLatency time.Duration

	first, last time.Time
	latencies   time.Duration   // summed up
	intervals   []time.Duration // the last ones
}

const (
	gapFactor = 1.6
	inertia   = 32 // intervals by which the usual one is told
)

// Rate is frames a second.
func (c *Cadence) Rate() float64 {
	if elapsed := c.last.Sub(c.first).Seconds(); elapsed > 0 {
		return float64(c.Frames-1) / elapsed
	}
	return 0
}

func (c *Cadence) add(stamp, received time.Time, bytes int) {
	c.Frames++
	c.Bytes += int64(bytes)
	latency := received.Sub(stamp)
	c.latencies += latency
	c.Latency = c.latencies / time.Duration(c.Frames)
	c.MaxLatency = max(c.MaxLatency, latency)
	if c.Frames == 1 {
		c.first, c.last = stamp, stamp
		return
	}
	interval := stamp.Sub(c.last)
	c.last = stamp
	if interval <= 0 {
		return
	}
	c.Longest = max(c.Longest, interval)
	if usual := c.Interval; usual > 0 && float64(interval) > gapFactor*float64(usual) {
		c.Gaps++
		c.Missing += int((interval+usual/2)/usual) - 1
	}
	c.intervals = append(c.intervals, interval)
	if len(c.intervals) > inertia {
		c.intervals = slices.Delete(c.intervals, 0, 1)
	}
	// One of the shortest: what is lost makes intervals longer, and most may be lost.
	c.Interval = slices.Sorted(slices.Values(c.intervals))[len(c.intervals)/8]
}
