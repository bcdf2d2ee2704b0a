package clocks_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stripswm/internal/clocks"
	"stripswm/msgs"
)

const ms = time.Millisecond

// TestSources has any clock: off by up to an hour, drifting up to 1 %, set by any step after a
// minute. Nothing is thought to be later than it can be, and soon after all of it not much earlier.
func TestSources(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hour := int64(time.Hour)
		off := time.Duration(rapid.Int64Range(-hour, hour).Draw(t, "off"))
		drift := rapid.Float64Range(-0.01, 0.01).Draw(t, "drift")
		step := time.Duration(rapid.OneOf(rapid.Int64Range(-int64(3*time.Second), int64(3*time.Second)),
			rapid.Int64Range(-hour, hour)).Draw(t, "step"))
		period := time.Duration(rapid.IntRange(20, 200).Draw(t, "period")) * ms
		shortest := time.Duration(rapid.IntRange(0, 100).Draw(t, "shortest")) * ms
		jitter := rapid.IntRange(0, 200)
		begin, change := time.Unix(1_000_000, 0), time.Minute
		var s clocks.Source
		var last time.Time
		for at := time.Duration(0); at < 2*change; at += period {
			stamp := begin.Add(at + off + time.Duration(drift*float64(at)))
			if at > change {
				stamp = stamp.Add(step)
			}
			taken, late := begin.Add(at), shortest+time.Duration(jitter.Draw(t, "jitter"))*ms
			if at/period%8 == 0 {
				late = shortest
			}
			received := taken.Add(late)
			if received.Before(last) {
				received = last // messages of a source do not overtake each other
			}
			last = received
			if v := s.Hear(stamp, received); v != clocks.InOrder && v != clocks.Set {
				if since := at - change; at > 2*period && (since < 0 || since > clocks.Late+2*period) {
					t.Fatalf("verdict %d at %s", v, at)
				}
				continue
			}
			earliest := s.Earliest(stamp)
			if earliest.After(received) {
				t.Fatalf("at %s: %s after its receipt", at, earliest.Sub(received))
			}
			settled := at > 10*time.Second && at < change || at > change+13*time.Second
			// one of eight was as fast as can be
			if most := shortest + 8*period/100 + jitterLeft(period); settled &&
				earliest.Sub(taken) > most {
				t.Fatalf("at %s: %s later than it was", at, earliest.Sub(taken))
			}
			if settled && taken.Sub(earliest) > clocks.Late+100*ms {
				t.Fatalf("at %s: %s earlier than it was", at, taken.Sub(earliest))
			}
		}
	})
}

// jitterLeft is how late the fastest messages may be: they wait for slower ones before them.
func jitterLeft(period time.Duration) time.Duration { return max(0, 200*ms-period) }

func TestEarliest(t *testing.T) {
	for name, c := range map[string]struct{ off, under, want time.Duration }{
		"one clock, a slow camera": {0, 300 * ms, 0},
		"a clock that is ahead":    {400 * ms, 30 * ms, -20 * ms},
		"a clock a little behind":  {-400 * ms, 30 * ms, -400 * ms},
		"a clock an hour behind":   {-time.Hour, 30 * ms, -20 * ms},
		"a clock an hour ahead":    {time.Hour, 30 * ms, -20 * ms},
	} {
		var s clocks.Source
		taken := time.Unix(1000, 0)
		for i := range 50 {
			taken = taken.Add(50 * ms)
			late := c.under + time.Duration(i%2)*20*ms
			s.Hear(taken.Add(c.off), taken.Add(late))
		}
		if got := s.Earliest(taken.Add(c.off)).Sub(taken); got != c.want {
			t.Errorf("%s: %s after it was taken, want %s", name, got, c.want)
		}
		warns := map[string]string{"a clock that is ahead": "0.37 s ahead",
			"a clock a little behind": "received 0.43 s later", "a clock an hour behind": "3600.03 s behind",
			"a clock an hour ahead": "3599.97 s ahead", "one clock, a slow camera": "it is slow"}[name]
		if got := s.Warning("the camera"); !strings.Contains(got, warns) {
			t.Errorf("%s: warns %q", name, got)
		}
	}
}

func TestVerdicts(t *testing.T) {
	const inOrder, unordered, suspect, set = clocks.InOrder, clocks.Unordered, clocks.Suspect,
		clocks.Set
	for name, c := range map[string]struct {
		stamps, received []int // ms
		want             []clocks.Verdict
	}{
		"one of another clock": {[]int{0, 50, 9e6, 150, -9e6, 250}, []int{0, 50, 100, 150, 200, 250},
			[]clocks.Verdict{inOrder, inOrder, suspect, inOrder, suspect, inOrder}},
		"off from the first": {[]int{9e6, 9e6 + 50, 9e6 + 100}, []int{0, 50, 100},
			[]clocks.Verdict{suspect, set, inOrder}},
		"set back": {[]int{0, 50, -5000, -4950}, []int{0, 50, 100, 150},
			[]clocks.Verdict{inOrder, inOrder, suspect, set}},
		"repeated": {[]int{0, 50, 50, 20, 100}, []int{0, 50, 70, 80, 100},
			[]clocks.Verdict{inOrder, inOrder, unordered, unordered, inOrder}},
		"a stamp of another clock, repeated": {[]int{0, 9e6, 9e6, 9e6}, []int{0, 50, 100, 150},
			[]clocks.Verdict{inOrder, suspect, suspect, suspect}},
		"held up on the way": {[]int{0, 50, 100, 5100}, []int{0, 50, 5100, 5101},
			[]clocks.Verdict{inOrder, inOrder, inOrder, inOrder}},
		"silent for an hour": {[]int{0, 36e5, 36e5 + 50}, []int{0, 36e5, 36e5 + 50},
			[]clocks.Verdict{inOrder, inOrder, inOrder}},
	} {
		var s clocks.Source
		var got []clocks.Verdict
		for i := range c.stamps {
			got = append(got, s.Hear(time.UnixMilli(int64(1e9+c.stamps[i])),
				time.UnixMilli(int64(1e9+c.received[i]))))
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestStampsThatDoNotGoOn(t *testing.T) {
	var s clocks.Source
	for i := range 20 {
		s.Hear(time.Unix(1000, 0), time.Unix(1000, 0).Add(time.Duration(i)*50*ms))
	}
	if got := s.Warning("the camera"); !strings.Contains(got, "leave the stamps zero") {
		t.Errorf("%q", got)
	}
}

func TestStamp(t *testing.T) {
	received := time.Unix(5, 0)
	for stamp, want := range map[msgs.Time]bool{{}: false, {Sec: 3}: true,
		{Sec: 3, Nanosec: 3e9}: false, {Sec: -3, Nanosec: 1}: true} {
		got, ok := clocks.Stamp(stamp, received)
		if ok != want || !ok && got != received || ok && msgs.TimeFrom(got) != stamp {
			t.Errorf("%v: %v, %t", stamp, got, ok)
		}
	}
}
