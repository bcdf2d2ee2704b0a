package clocks

import (
	"fmt"
	"slices"
	"time"

	"stripswm/msgs"
)

const (
	// Late is the longest time that a message is thought to be under way: streams that are buffered on
	// their way take one to two seconds. With a tenth of it they count as a clock that is off; with
	// ten times of it a clock that is 10 s behind is taken for a slow network, and costs every image.
	Late = 2 * time.Second
	// Distinct is how far a clock may be off without a warning: about the time between two images,
	// which is how finely they tell before from after. It is also how long the fastest message is
	// thought to be under way if that cannot be measured.
	Distinct = 50 * time.Millisecond
	// window is the time over which the smallest delay is taken: it has many images, and a clock that
	// drifts by 1 % is off by 0.1 s within it.
	window = 10 * time.Second
	// refused is how many messages in a row are left out before a warning. Single ones are of another
	// publisher or a clock that was set.
	refused = 10
)

// NoStamps is the warning of a camera whose images have no stamp.
const NoStamps = "images have no stamp and are ordered by their receipt, though they may show " +
	"the scene earlier: have the camera stamp them"

// Stamp is the time in an image's header. If that is zero, or has nanoseconds beyond a second,
// which no transition could name, ok is false and stamp is the time of receipt.
func Stamp(t msgs.Time, received time.Time) (stamp time.Time, ok bool) {
	stamp = t.GoTime()
	if t.IsZero() || msgs.TimeFrom(stamp) != t {
		return received, false
	}
	return stamp, true
}

// A Source is the clock of one source of messages, as the receiver sees it. The zero value has
// heard nothing.
type Source struct {
	least   []heard // of the window, those whose delay is smaller than all later ones, by receipt
	last    heard   // the newest that was in order
	suspect *heard  // stamped far from the others, until the next one tells why; or nil
	left    int     // how many messages in a row were left out
}

type heard struct {
	stamp, received time.Time
	delay           time.Duration
}

// A Verdict is what a message tells of a clock.
type Verdict int

const (
	// InOrder is a message that follows the one before.
	InOrder Verdict = iota
	// Unordered is one that is stamped no later than the one before: repeated, overtaken, or of a
	// clock that was set back a little. It tells nothing.
	Unordered
	// Suspect is one that is stamped far from the others: it is of another clock, or the clock was
	// set. The next one tells which.
	Suspect
	// Set is one that follows the suspect before it: the clock was set.
	Set
)

// Hear takes the stamp of the next message.
func (s *Source) Hear(stamp, received time.Time) Verdict {
	m := heard{stamp, received, received.Sub(stamp)}
	doubted := s.suspect
	if s.plausible(m) {
		s.suspect = nil
		if len(s.least) > 0 && !stamp.After(s.last.stamp) {
			s.left++
			return Unordered
		}
		s.take(m)
		return InOrder
	}
	if doubted == nil || !stamp.After(doubted.stamp) || (m.delay-doubted.delay).Abs() > Late {
		s.suspect = &m
		s.left++
		return Suspect
	}
	s.suspect, s.least = nil, nil
	s.take(*doubted)
	s.take(m)
	return Set
}

// plausible says whether a message may be of the clock as it was so far, or at first of the
// receiver's. A message may be late by any time, but its stamp must not leap ahead or back.
func (s *Source) plausible(m heard) bool {
	if len(s.least) == 0 {
		return m.delay.Abs() <= Late
	}
	return m.delay >= s.Delay()-Late && m.stamp.Sub(s.last.stamp) >= -Late
}

func (s *Source) take(m heard) {
	s.last, s.left = m, 0
	for n := len(s.least); n > 0 && s.least[n-1].delay >= m.delay; n = len(s.least) {
		s.least = s.least[:n-1]
	}
	s.least = append(s.least, m)
	s.least = s.least[slices.IndexFunc(s.least, func(h heard) bool {
		return m.received.Sub(h.received) <= window
	}):]
}

// Delay is the smallest time from stamp to receipt in the last window: negative if the clock is
// ahead, and 0 before anything was heard.
func (s *Source) Delay() time.Duration {
	if len(s.least) == 0 {
		return 0
	}
	return s.least[0].delay
}

// Earliest is the earliest time, by the receiver's clock, of what a message with that stamp tells.
func (s *Source) Earliest(stamp time.Time) time.Time {
	if d := s.Delay(); d < 0 || d > Late {
		return Unstamped(stamp.Add(d))
	}
	return stamp
}

// Unstamped is the same for a message without a stamp.
func Unstamped(received time.Time) time.Time { return received.Add(-Distinct) }

// Warning says what is wrong with the clock of the source with that name, and what to do; "" if
// nothing is.
func (s *Source) Warning(name string) string {
	const advice = "synchronize it with this machine's"
	switch d := s.Delay(); {
	case s.left >= refused:
		return fmt.Sprintf("the last %d stamps of %s do not follow on those before: see whether two "+
			"publish, or have it leave the stamps zero", s.left, name)
	case d < -Distinct:
		return fmt.Sprintf("the clock of %s is %.2f s ahead: %s", name, -d.Seconds(), advice)
	case d > Late:
		return fmt.Sprintf("the clock of %s is %.2f s behind: %s", name, d.Seconds(), advice)
	case d > Distinct:
		return fmt.Sprintf("what %s stamps is received %.2f s later: it is slow, or its clock is "+
			"behind: %s", name, d.Seconds(), advice)
	}
	return ""
}
