package pairing

import (
	"time"

	"stripswm/internal/clocks"
)

// Frame takes the next image, in the order of receipt, and returns the attempts that it completes.
// One that is stamped far from the others waits for the next to bear it out: if that goes on from
// there, the camera's clock was set; if not, it was an outlier, of another publisher perhaps.
func (p *Pairer) Frame(f *Frame) []RecordedAttempt {
	given := p.restart(f.Received)
	verdict := p.camera.Hear(f.Stamp, f.Received)
	if verdict == clocks.Unordered {
		p.counts.Unordered++
		return given
	}
	first := p.suspected
	p.suspected = nil
	if first != nil && verdict != clocks.Set {
		p.counts.Outliers++
	}
	if verdict == clocks.Suspect {
		p.suspected = f
		return given
	}
	if verdict == clocks.Set {
		if len(p.frames) > 0 {
			p.counts.Jumps++
		}
		given = append(given, p.add(first)...)
	}
	return append(given, p.add(f)...)
}

// restart forgets what was, if the receiver's clock went back, as a simulated one may.
func (p *Pairer) restart(received time.Time) []RecordedAttempt {
	if len(p.frames) == 0 || p.frames.newest().Sub(received) <= clocks.Late {
		return nil
	}
	given := p.Flush("the receiver's clock went back")
	p.counts.Jumps++
	p.frames, p.suspected, p.rest, p.reset, p.ended = nil, nil, nil, time.Time{}, time.Time{}
	p.camera, p.executor = clocks.Source{}, clocks.Source{}
	return given
}

func (p *Pairer) add(f *Frame) []RecordedAttempt {
	f.taken = p.camera.Earliest(f.Stamp)
	if f.Unstamped {
		f.taken = clocks.Unstamped(f.Received)
	}
	p.frames = p.frames.add(f, p.options)
	for _, a := range p.open {
		if !f.Received.After(a.Started) { // came after the status that tells of the start
			p.see(a)
		}
	}
	return p.settle(f.Received)
}

// by finds the last frame that was surely taken by then, as it was received.
func (p *Pairer) by(t time.Time) *Frame {
	return p.frames.last(func(f *Frame) bool { return !f.Received.After(t) && p.usable(f) })
}

// beforeMotion finds the frame that tells whether the scene moves in another.
func (p *Pairer) beforeMotion(f *Frame) *Frame {
	limit := f.taken.Add(-p.options.MotionWindow)
	return p.frames.last(func(g *Frame) bool { return !g.taken.After(limit) && p.usable(g) })
}
