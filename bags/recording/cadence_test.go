package recording

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestCadence(t *testing.T) {
	var c Cadence
	begin := time.Unix(1000, 0)
	for i := range 300 {
		if i >= 100 && i < 110 || i == 200 {
			continue // the camera was away, and one frame was lost
		}
		stamp := begin.Add(time.Duration(i) * time.Second / 30)
		c.add(stamp, stamp.Add(2*time.Millisecond+time.Duration(i%2)*time.Millisecond), 10)
	}
	if c.Gaps != 2 || c.Missing != 11 {
		t.Errorf("%d gaps, %d missing; want 2, 11", c.Gaps, c.Missing)
	}
	if r := c.Rate(); r < 28 || r > 30 {
		t.Errorf("rate %f", r)
	}
	if c.MaxLatency != 3*time.Millisecond || c.Latency < 2400*time.Microsecond ||
		c.Latency > 2600*time.Microsecond {
		t.Errorf("latency %s, at most %s", c.Latency, c.MaxLatency)
	}
	if c.Longest.Round(time.Millisecond) != 367*time.Millisecond || c.Frames != 289 ||
		c.Bytes != 2890 {
		t.Errorf("%+v", c)
	}
}

// TestCadenceWhereMostIsLost has a camera of 60 Hz of which one frame in three arrives.
func TestCadenceWhereMostIsLost(t *testing.T) {
	var c Cadence
	rng := rand.New(rand.NewPCG(1, 1))
	const sent = 3000
	for i := range sent {
		stamp := time.Unix(1000, 0).Add(time.Duration(i)*time.Second/60 + time.Duration(
			rng.IntN(2000))*time.Microsecond)
		if rng.IntN(3) == 0 {
			c.add(stamp, stamp, 10)
		}
	}
	if c.Interval < 14*time.Millisecond || c.Interval > 18*time.Millisecond {
		t.Errorf("the usual interval is %s", c.Interval)
	}
	if all := c.Frames + c.Missing; all < sent*9/10 || all > sent*11/10 {
		t.Errorf("%d came and %d are missing, of %d", c.Frames, c.Missing, sent)
	}
}
