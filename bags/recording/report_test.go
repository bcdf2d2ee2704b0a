package recording

import (
	"math/rand/v2"
	"strings"
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

// TestCadenceOfAnIrregularCamera has all frames arrive of cameras that are not regular.
func TestCadenceOfAnIrregularCamera(t *testing.T) {
	for name, next := range map[string]func(rng *rand.Rand, i int) time.Duration{
		"one in ten is late": func(rng *rand.Rand, i int) time.Duration {
			late := 0
			if i%10 == 0 {
				late = 25 + rng.IntN(7)
			}
			return time.Duration(i)*time.Second/30 + time.Duration(late)*time.Millisecond
		},
		"jitter": func(rng *rand.Rand, i int) time.Duration {
			return time.Duration(i)*time.Second/30 + time.Duration(rng.IntN(15000))*time.Microsecond
		},
		"of two speeds": func(_ *rand.Rand, i int) time.Duration {
			return time.Duration(min(i, 100))*40*time.Millisecond + time.Duration(max(0,
				i-100))*60*time.Millisecond
		},
	} {
		var c Cadence
		rng := rand.New(rand.NewPCG(3, 1))
		for i := range 2000 {
			stamp := time.Unix(1000, 0).Add(next(rng, i))
			c.add(stamp, stamp, 10)
			c.count(7, uint64(i+1))
		}
		if c.Missing > 0 || c.Lost > 0 {
			t.Errorf("%s: %d missing by the stamps (and %d unclear), %d lost by the numbers, of "+
				"none", name, c.Missing, c.Unclear, c.Lost)
		}
	}
}

// TestLostByNumbers has a publisher that leaves out every fifth frame, and a network that loses
// every fourth of the others.
func TestLostByNumbers(t *testing.T) {
	r := newReport(time.Unix(1000, 0), 0)
	number, lost := uint64(0), 0
	for i := range 400 {
		if i%5 == 0 {
			continue
		}
		if number++; number%4 == 0 {
			lost++
			continue
		}
		stamp := time.Unix(1000, 0).Add(time.Duration(i) * time.Second / 30)
		r.Cadence.add(stamp, stamp, 10)
		r.Cadence.count(7, number)
	}
	r.Dropped = 3
	if c := &r.Cadence; c.Lost != lost-1 || c.Missing < 150 { // the last one is not missed
		t.Errorf("%d lost of %d, %d missing by the stamps", c.Lost, lost, c.Missing)
	}
	for _, want := range []string{"76 published frames were lost on the way, 3 not taken here",
		"the camera did not publish"} {
		if text := r.String(); !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
}
