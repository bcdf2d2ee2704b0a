package pairing

import "time"

// Frame takes the next image and returns the attempts that it completes. Frames
// come in the order of their stamps. One that clock jumps ahead, or back further than the
// history, waits for the next to bear it out: if that goes on from there, the camera was
// away, or its clock was set; if not, it was a outlier, of another publisher perhaps.
func (p *Pairer) Frame(f *Frame) []RecordedAttempt {
	step := f.Stamp.Sub(p.frames.newest())
	switch {
	case f.Stamp.UnixNano() == 0:
		p.counts.Unstamped++
		return nil
	case len(p.frames) == 0 || step > 0 && step <= p.options.ClockJump:
		p.dismiss()
		return p.add(f)
	case step <= 0 && -step <= p.options.History:
		p.counts.Unordered++
		return nil
	}
	first := p.suspected
	if first == nil || !p.follows(first, f) {
		p.dismiss()
		p.suspected = f
		return nil
	}
	p.suspected = nil
	var given []RecordedAttempt
	if step < 0 {
		p.counts.Jumps++
		given = p.Flush("the camera's clock went back")
		p.frames, p.rest, p.reset = nil, nil, time.Time{}
	}
	return append(append(given, p.add(first)...), p.add(f)...)
}

func (p *Pairer) follows(f, next *Frame) bool {
	step := next.Stamp.Sub(f.Stamp)
	return step > 0 && step <= p.options.ClockJump
}

// dismiss lets go of a frame that was not borne out.
func (p *Pairer) dismiss() {
	if p.suspected != nil {
		p.counts.Outliers++
		p.suspected = nil
	}
}

func (p *Pairer) add(f *Frame) []RecordedAttempt {
	p.frames = p.frames.add(f, p.options)
	for _, a := range p.open {
		if !f.Stamp.After(a.Started) { // came after the status that tells of the start
			p.see(a)
		}
	}
	return p.settle(f.Stamp)
}
