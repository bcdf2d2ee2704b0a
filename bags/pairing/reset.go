package pairing

import "time"

// Reset is told that somebody changed the scene, and returns the attempts under way, all failed:
// who says so at that moment may have changed it before, so that neither outcome nor images are
// evidence. What was seen until now shows the scene as it was: no image before a later attempt, and
// not what a scene at rest looks like.
//
// It counts as of when it was received, and never before a frame that came first.
func (p *Pairer) Reset(received time.Time) []RecordedAttempt {
	var given []RecordedAttempt
	for _, a := range p.open {
		if a.ended() {
			a.fail("the scene was reset before it had come to rest")
		} else {
			a.Ended = received
			a.fail("the scene was reset while it ran")
		}
		a.After = p.lastAfter(a)
		given = append(given, p.close(a))
	}
	p.open, p.rest, p.reset = nil, nil, received
	if newest := p.frames.newest(); newest.After(received) {
		p.reset = newest
	}
	return given
}
