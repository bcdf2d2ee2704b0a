package recording

import (
	"math"
	"slices"
	"time"
)

// A Cadence is how regularly the camera's images came, and how many did not come.
type Cadence struct {
	Frames   int
	Bytes    int64         // of their messages
	Longest  time.Duration // interval between two frames
	Interval time.Duration // the usual one
	// Latency is the time from a frame's stamp to its receipt, on average and at
	// most. It includes the difference of the two clocks (Report.CameraDelay).
	Latency, MaxLatency time.Duration

	Numbered int // frames that their publisher had numbered
	Lost     int // by these numbers: published, and not received here

	// By the stamps: intervals of more than gapFactor times the usual one, and the frames that would
	// have filled them: the camera did not publish them, or they were lost. Where the intervals are
	// too irregular to know, Unclear has the frames that may be missing besides.
	Gaps, Missing, Unclear int

	first, last    time.Time
	latencies      time.Duration   // summed up
	intervals      []time.Duration // the last ones
	regular        bool            // they are about multiples of the usual one
	gap            time.Duration   // the last interval, if it is a gap not yet looked at
	writer, number uint64          // of the last frame
}

const (
	gapFactor = 1.6
	inertia   = 32  // intervals by which the usual one is told
	fewest    = 8   // and at least
	scatter   = 0.1 // most of intervals around multiples of the usual one, as its share
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
	c.fill(interval)
	c.intervals = append(c.intervals, interval)
	if len(c.intervals) > inertia {
		c.intervals = slices.Delete(c.intervals, 0, 1)
	}
	c.Interval, c.regular = usual(c.intervals)
}

// fill looks at a gap when the next interval is known: that of a frame that was only late is short.
func (c *Cadence) fill(interval time.Duration) {
	usual, regular := c.Interval, c.regular
	if len(c.intervals) < fewest {
		return
	}
	if c.gap > 0 {
		steps, frames := c.gap, 1
		if float64(interval) <= gapFactor*float64(usual) {
			steps, frames = c.gap+interval, 2
		}
		missing := max(0, int((steps+usual/2)/usual)-frames)
		if regular {
			c.Missing += missing
		} else {
			c.Unclear += missing
		}
		if missing > 0 {
			c.Gaps++
		}
		c.gap = 0
	}
	if float64(interval) > gapFactor*float64(usual) {
		c.gap = interval
	}
}

// count looks at the number that a frame's publisher gave it, if it is not 0.
func (c *Cadence) count(writer, number uint64) {
	if number == 0 {
		return
	}
	c.Numbered++
	if writer == c.writer && number > c.number {
		c.Lost += int(number - c.number - 1)
	}
	c.writer, c.number = writer, number
}

// usual is the longest interval of which nearly all are about a multiple: frames that are missing
// make intervals longer, and most may be missing. Without one it is their median, and they are not
// regular.
func usual(intervals []time.Duration) (interval time.Duration, regular bool) {
	if len(intervals) == 0 {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(intervals))
	for _, candidate := range slices.Backward(sorted[:len(sorted)/2+1]) {
		if fitted, ok := fit(sorted, candidate); ok {
			return fitted, true
		}
	}
	return sorted[len(sorted)/2], false
}

// fit says whether intervals are about multiples of one like the candidate, which is among them
// itself, and of which. One of four may not be: a frame that is late makes two such.
func fit(intervals []time.Duration, candidate time.Duration) (time.Duration, bool) {
	var sum time.Duration
	steps, single, outliers := 0, 0, 0
	for _, i := range intervals {
		n := math.Round(float64(i) / float64(candidate))
		if math.Abs(float64(i)/float64(candidate)-n) > 2*scatter || n == 0 {
			outliers++
			continue
		}
		sum, steps = sum+i, steps+int(n)
		if n == 1 {
			single++
		}
	}
	if single < len(intervals)/5 || steps == 0 || outliers > len(intervals)/4 {
		return 0, false
	}
	fitted, squares := float64(sum)/float64(steps), 0.0
	for _, i := range intervals {
		ratio := float64(i) / fitted
		if d := ratio - math.Round(ratio); math.Abs(d) <= 2*scatter {
			squares += d * d
		}
	}
	return time.Duration(fitted), math.Sqrt(squares/float64(len(intervals))) <= scatter
}
