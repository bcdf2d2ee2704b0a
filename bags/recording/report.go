package recording

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"stripswm/bags/pairing"
	"stripswm/msgs"
)

// Tally counts the attempts of an action by outcome.
type Tally struct{ Succeeded, Refused, Failed int }

func (t Tally) total() int { return t.Succeeded + t.Refused + t.Failed }

func (t *Tally) at(outcome uint8) *int {
	switch outcome {
	case msgs.TransitionSucceeded:
		return &t.Succeeded
	case msgs.TransitionRefused:
		return &t.Refused
	}
	return &t.Failed
}

// A Report is what a recording holds and what it had to go without.
type Report struct {
	Directory  string // of its bag
	Files      int    // that the bag was split into
	Began, Now time.Time
	Outcomes   Tally
	Actions    map[uint32]Tally
	// attempts that are not in the bag for want of an image, or as the executor said something
	// impossible
	Lost      int
	Loss      string // why the last one was lost
	Resets    int    // times that somebody changed the scene and said so
	Unwritten int    // attempts that the disk did not take; not acknowledged
	Dropped   uint64 // images that came too fast
	Unusable  pairing.Counts
	Cadence   Cadence
	Bytes     int64
	Known     int // L, 0 if not known
	Unstamped int // images that have the stamp of their receipt
	// from stamp to receipt, at least: of images and of skill statuses
	CameraDelay, ExecutorDelay time.Duration
	Clocks                     string        // what somebody should know of them
	Kept                       time.Duration // of images, as far as Pairing.Memory goes
	Reason                     string        // why it ended by itself; empty if it was stopped
}

func newReport(now time.Time, actions int) *Report {
	return &Report{Began: now, Now: now, Actions: map[uint32]Tally{}, Known: actions}
}

func (r *Report) clone() Report {
	c := *r
	c.Actions = maps.Clone(r.Actions)
	c.Cadence.intervals = nil // still written to
	return c
}

// Transitions is how many were acknowledged, whatever their outcome.
func (r *Report) Transitions() int { return r.Outcomes.total() }

// Duration is how long it was recorded.
func (r *Report) Duration() time.Duration { return r.Now.Sub(r.Began) }

func (r *Report) count(action uint32, outcome uint8) {
	t := r.Actions[action]
	*t.at(outcome)++
	r.Actions[action] = t
	*r.Outcomes.at(outcome)++
}

func (r *Report) recount(action uint32, from, to uint8) {
	t := r.Actions[action]
	*t.at(from)--
	*r.Outcomes.at(from)--
	r.Actions[action] = t
	r.count(action, to)
}

// Untried lists the actions of 1..Known that were never attempted.
func (r *Report) Untried() []uint32 {
	var never []uint32
	for a := uint32(1); a <= uint32(r.Known); a++ {
		if r.Actions[a].total() == 0 {
			never = append(never, a)
		}
	}
	return never
}

// losses says how many images are missing, and on which side they were lost, as far as it is known.
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
		msgs.OutcomeCounts(r.Outcomes.Succeeded, r.Outcomes.Refused, r.Outcomes.Failed), r.Lost,
		r.Unwritten)
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
