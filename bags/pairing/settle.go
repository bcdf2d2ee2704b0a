package pairing

import (
	"fmt"
	"time"

	"stripswm/msgs"
)

// settle looks for the image after of every attempt and returns those that are done with, by start.
func (p *Pairer) settle(now time.Time) []RecordedAttempt {
	var done []RecordedAttempt
	kept := p.open[:0]
	for _, a := range p.open {
		if a.ended() && (p.settled(a) || p.givenUp(a, now)) {
			p.suspect(a)
			done = append(done, p.close(a))
			continue
		}
		kept = append(kept, a)
	}
	p.open = kept
	return done
}

// settled finds the first frame at rest that was surely taken after the end, and before the next
// start.
func (p *Pairer) settled(a *pending) bool {
	from, limit := a.Ended.Add(p.options.Settle), p.limit(a)
	for _, f := range p.frames {
		if f.taken.Before(from) || !f.Received.After(a.checked) {
			continue
		}
		if f.Received.After(limit) {
			return false
		}
		a.checked = f.Received
		if p.usable(f) && p.atRest(f) {
			a.After, p.rest = f, f
			return true
		}
	}
	return false
}

// limit is until when frames are received that show what the skill did.
func (p *Pairer) limit(a *pending) time.Time {
	limit := a.Ended.Add(p.options.Timeout)
	if !a.until.IsZero() && a.until.Before(limit) {
		return a.until
	}
	return limit
}

// atRest compares a frame with the one a motion window earlier. Without such a
// frame nothing is known, which is not rest.
func (p *Pairer) atRest(f *Frame) bool {
	if p.options.MotionThreshold == 0 {
		return true
	}
	earlier := p.beforeMotion(f)
	return earlier != nil && !p.moves(earlier, f)
}

// moves compares two usable frames.
func (p *Pairer) moves(f, g *Frame) bool {
	v, _ := f.thumbnail()
	w, _ := g.thumbnail()
	return p.options.MotionThreshold > 0 && v.Motion(w) > p.options.MotionThreshold
}

// lastAfter is the last image of an attempt that did not settle; nil if there is none since its
// start.
func (p *Pairer) lastAfter(a *pending) *Frame {
	f := p.by(p.limit(a))
	if f == nil || f.Received.Before(a.Started) {
		return nil
	}
	return f
}

// givenUp ends an attempt that cannot settle any more, with the last image there is.
func (p *Pairer) givenUp(a *pending, now time.Time) bool {
	overtaken := !a.until.IsZero() && p.frames.newest().After(a.until)
	late := now.Sub(a.Ended) > p.options.Timeout
	if !overtaken && !late {
		return false
	}
	a.After = p.lastAfter(a)
	if overtaken && a.After == nil && a.Outcome == msgs.TransitionRefused {
		a.After = a.Before // the camera had no time for another
	}
	switch {
	case overtaken && a.After != nil && a.Outcome == msgs.TransitionRefused:
		// Nothing was moved, so there is nothing to come to rest.
	case a.After == nil:
		p.doubt(a, "the camera showed nothing after it")
	case overtaken:
		p.doubt(a, "the next skill started before the scene had come to rest")
	default:
		p.doubt(a, "the scene had not come to rest after "+seconds(p.options.Timeout))
	}
	return true
}

// suspect fails an attempt whose image before may not show the state before.
func (p *Pairer) suspect(a *pending) {
	if a.Before == nil {
		p.doubt(a, "the camera showed nothing before it")
		return
	}
	switch age := a.Started.Sub(a.Before.Received); {
	case a.Before.taken.Before(a.since):
		p.doubt(a, "no image is surely from after the last skill and before it")
	case age > p.options.MaxAge:
		p.doubt(a, fmt.Sprintf("the last image before it is %s old", seconds(age)))
	}
	if !a.Before.taken.After(p.reset) {
		p.doubt(a, "the last image before it is from before the scene was reset")
	}
	if a.restless {
		a.fail("the scene was still moving when it started")
	}
	if a.After != nil && a.After.Topic != a.Before.Topic {
		a.fail(fmt.Sprintf("the camera's images came on %s before it and on %s after it", a.Before.Topic,
			a.After.Topic))
		a.After = nil
	}
	if a.After != nil && a.After.Stamp.Before(a.Before.Stamp) {
		a.fail("the camera's clock went back while it ran")
		a.After = nil
	}
}

// doubt fails an attempt whose images are not surely from before and after, and says why where the
// clocks are the cause.
func (p *Pairer) doubt(a *pending, note string) {
	if warning := p.ClockWarning(); warning != "" {
		note += " (" + warning + ")"
	}
	a.fail(note)
}
