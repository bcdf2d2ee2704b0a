package recording

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"stripswm/bags/pairing"
	"stripswm/msgs"
)

// A Report is what a recording holds and what it had to go without.
type Report struct {
	Directory  string // of its bag
	Files      int    // that the bag was split into
	Began, Now time.Time
	Outcomes   msgs.Tally
	Actions    map[uint32]msgs.Tally
	// Lost counts attempts that are not in the bag: an image is missing, or the executor said
	// something impossible.
	Lost      int
	Loss      string // why the last one was lost
	Resets    int    // times that somebody changed the scene and said so
	Unwritten int    // attempts that the disk did not take; not acknowledged
	Dropped   uint64 // images that came too fast to be handled
	Unusable  pairing.Counts
	Cadence   Cadence
	Bytes     int64
	Known     int // L, 0 if not known
	Unstamped int // images that have the time of their receipt as stamp
	// CameraDelay and ExecutorDelay are the smallest times from stamp to receipt.
	CameraDelay, ExecutorDelay time.Duration
	Clocks                     string        // a warning about the clocks; "" if there is none
	Kept                       time.Duration // how far back images are kept: pairing.Options.Memory
	Reason                     string        // why it ended by itself; "" if it was stopped
}

func newReport(now time.Time, actions int) *Report {
	return &Report{Began: now, Now: now, Actions: map[uint32]msgs.Tally{}, Known: actions}
}

func (r *Report) clone() Report {
	c := *r
	c.Actions = maps.Clone(r.Actions)
	c.Cadence.intervals = nil // still written to
	return c
}

// Transitions is how many were acknowledged, whatever their outcome.
func (r *Report) Transitions() int { return r.Outcomes.Total() }

// Duration is how long it was recorded.
func (r *Report) Duration() time.Duration { return r.Now.Sub(r.Began) }

func (r *Report) count(action uint32, outcome uint8) {
	t := r.Actions[action]
	*t.At(outcome)++
	r.Actions[action] = t
	*r.Outcomes.At(outcome)++
}

func (r *Report) recount(action uint32, from, to uint8) {
	t := r.Actions[action]
	*t.At(from)--
	*r.Outcomes.At(from)--
	r.Actions[action] = t
	r.count(action, to)
}

// Untried lists the actions of 1..Known that were never attempted.
func (r *Report) Untried() []uint32 {
	var never []uint32
	for a := uint32(1); a <= uint32(r.Known); a++ {
		if r.Actions[a].Total() == 0 {
			never = append(never, a)
		}
	}
	return never
}

// losses says how many images are missing, and as far as is known on which side they were lost.
func (r *Report) losses() string {
	c := &r.Cadence
	missing := fmt.Sprint(c.Missing)
	if c.Unclear > 0 {
		missing = fmt.Sprintf("%d to %d", c.Missing, c.Missing+c.Unclear)
	}
	if c.Numbered < c.Frames || c.Frames == 0 {
		return fmt.Sprintf("by the stamps %s frames are missing in %d gaps: not published, or "+
			"lost on the way", missing, c.Gaps)
	}
	lost := max(0, c.Lost-int(r.Dropped))
	if c.Missing+c.Unclear <= c.Lost {
		return fmt.Sprintf("%d published frames were lost on the way, %d not taken here", lost,
			c.Lost-lost)
	}
	return fmt.Sprintf("%d published frames were lost on the way, %d not taken here; by the stamps "+
		"%s are missing in %d gaps, the others the camera did not publish",
		lost, c.Lost-lost, missing, c.Gaps)
}

// String is the report for people.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d transitions in %.1f s", r.Directory, r.Transitions(),
		r.Duration().Seconds())
	if r.Reason != "" {
		fmt.Fprintf(&b, "; ended: %s", r.Reason)
	}
	fmt.Fprintf(&b, "\n  %s; %d lost, %d not written\n",
		r.Outcomes, r.Lost, r.Unwritten)
	if r.Loss != "" {
		fmt.Fprintf(&b, "  the last one lost: %s\n", r.Loss)
	}
	if r.Resets > 0 {
		fmt.Fprintf(&b, "  the scene was reset %d times\n", r.Resets)
	}
	c := &r.Cadence
	fmt.Fprintf(&b, "  camera: %d frames, %.1f Hz, %d dropped, latency %s, at most %s\n",
		c.Frames, c.Rate(), r.Dropped, c.Latency.Round(10*time.Microsecond),
		c.MaxLatency.Round(10*time.Microsecond))
	fmt.Fprintf(&b, "  usual interval %s, longest %s; %s\n",
		c.Interval.Round(10*time.Microsecond), c.Longest.Round(time.Millisecond), r.losses())
	if u := r.Unusable; u != (pairing.Counts{}) {
		fmt.Fprintf(&b,
			"  not used: %d blank, %d unreadable, %d unordered, %d outlier frames; %d ends of skills "+
				"without a start; %d jumps of the clock\n",
			u.Blank, u.Unreadable, u.Unordered, u.Outliers, u.UnmatchedEnds, u.Jumps)
	}
	if r.Clocks != "" {
		fmt.Fprintf(&b, "  %s\n", r.Clocks)
	}
	fmt.Fprintf(&b, "  %.1f MB written", float64(r.Bytes)/1e6)
	if r.Files > 1 {
		fmt.Fprintf(&b, " in %d files", r.Files)
	}
	if d := r.Duration().Seconds(); d > 0 {
		fmt.Fprintf(&b, ", %.2f MB/s", float64(r.Bytes)/1e6/d)
	}
	b.WriteString("\n  tries by action (succeeded/refused/failed):")
	for i, a := range slices.Sorted(maps.Keys(r.Actions)) {
		if i > 0 && i%8 == 0 {
			b.WriteString("\n   ")
		}
		t := r.Actions[a]
		fmt.Fprintf(&b, " %d:%d/%d/%d", a, t.Succeeded, t.Refused, t.Failed)
	}
	if len(r.Actions) == 0 {
		b.WriteString(" none")
	}
	b.WriteByte('\n')
	if never := r.Untried(); len(never) > 0 {
		fmt.Fprintf(&b, "  never tried: %v\n", never)
	}
	return b.String()
}

func minus(a, b pairing.Counts) pairing.Counts {
	return pairing.Counts{Unordered: a.Unordered - b.Unordered, Blank: a.Blank - b.Blank,
		Unreadable: a.Unreadable - b.Unreadable, UnmatchedEnds: a.UnmatchedEnds - b.UnmatchedEnds,
		Outliers: a.Outliers - b.Outliers, Jumps: a.Jumps - b.Jumps}
}

// A Cadence is how regularly the camera's images came, and how many did not come.
type Cadence struct {
	Frames   int
	Bytes    int64         // of their messages
	Longest  time.Duration // interval between two frames
	Interval time.Duration // the usual one
	// Latency is the mean time from a frame's stamp to its receipt. Like MaxLatency it includes the
	// difference of the two clocks (Report.CameraDelay).
	Latency, MaxLatency time.Duration

	Numbered int // frames that their publisher had numbered
	Lost     int // by these numbers: published, and not received here

	// Gaps counts intervals between stamps that are much longer than the usual one, and Missing the
	// frames that would have filled them: not published, or lost. Unclear counts those of gaps among
	// intervals too irregular to know.
	Gaps, Missing, Unclear int

	first, last    time.Time
	latencies      time.Duration   // summed up
	intervals      []time.Duration // the last ones
	regular        bool            // they are about multiples of the usual one
	gap            time.Duration   // the last interval, if it is a gap that is not counted yet
	writer, number uint64          // of the last frame
}

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

// fill counts a gap when the next interval is known: after a frame that was only late, it is short.
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

// count counts lost frames by the numbers that their publisher gave them; 0 is none.
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

// usual is the longest interval of which nearly all others are about a multiple: even if most
// frames are missing, intervals are multiples of the camera's. If there is none, usual is the
// median, and the camera is not regular.
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

// fit finds the interval near the candidate of which the intervals are about multiples; false if
// there is none.
func fit(intervals []time.Duration, candidate time.Duration) (time.Duration, bool) {
	var sum time.Duration
	steps, single, far := 0, 0, 0
	for _, i := range intervals {
		n := math.Round(float64(i) / float64(candidate))
		if math.Abs(float64(i)/float64(candidate)-n) > 2*scatter || n == 0 {
			far++
			continue
		}
		sum, steps = sum+i, steps+int(n)
		if n == 1 {
			single++
		}
	}
	n := float64(len(intervals))
	if single < int(singles*n) || steps == 0 || far > int(outliers*n) {
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
