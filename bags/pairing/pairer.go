package pairing

import (
	"fmt"
	"time"

	"stripswm/msgs"
)

// Counts of what a Pairer could not use.
type Counts struct {
	Unordered  int // frames not newer than the one before
	Unstamped  int // frames without a stamp, which nothing could refer to
	Blank      int // frames looked at that showed nothing
	Unreadable int // frames looked at that did not decode
	Orphans    int // ends of skills whose start was not seen
	Jumps      int // times that the camera's clock went back
}

// A Pairer makes attempts from frames and statuses. It is not safe for
// concurrent use. It keeps Options.History of frames, and no more than that.
type Pairer struct {
	options Options
	frames  frames
	rest    *Frame     // the last one found at rest
	reset   time.Time  // frames up to this stamp show the scene before somebody changed it
	open    []*pending // by start
	recent  []msgs.UUID
	counts  Counts
}

// New makes a Pairer.
func New(o Options) *Pairer { return &Pairer{options: o.withDefaults()} }

// Counts is what could not be used so far.
func (p *Pairer) Counts() Counts { return p.counts }

// Frame takes the next image and returns the attempts that it completes. Frames
// come in the order of their stamps; a stamp that lies back further than the
// history means that the camera's clock was set back, and begins anew.
func (p *Pairer) Frame(f *Frame) []Attempt {
	newest := p.frames.newest()
	switch {
	case f.Stamp.UnixNano() == 0:
		p.counts.Unstamped++
		return nil
	case !f.Stamp.After(newest) && newest.Sub(f.Stamp) <= p.options.History:
		p.counts.Unordered++
		return nil
	case f.Stamp.Before(newest):
		p.counts.Jumps++
		given := p.Flush("the camera's clock went back")
		p.frames, p.rest, p.reset = nil, nil, time.Time{}
		return append(given, p.Frame(f)...)
	}
	p.frames = p.frames.add(f, p.options.History)
	for _, a := range p.open {
		if !f.Stamp.After(a.Started) { // came after the status that tells of the start
			p.see(a)
		}
	}
	return p.settle(f.Stamp)
}

// Status takes what the executor says and returns the attempts that it
// completes. A status without a stamp counts as of when it was received.
// Statuses may be repeated.
func (p *Pairer) Status(s *msgs.SkillStatus, received time.Time) []Attempt {
	at := s.Header.Stamp.GoTime()
	if s.Header.Stamp.IsZero() {
		at = received
	}
	if s.Phase == msgs.SkillStatusStarted {
		p.start(s, at)
	} else if outcome, ends := outcomes[s.Phase]; ends {
		p.end(s, at, outcome)
	}
	return p.settle(p.frames.newest())
}

func (p *Pairer) start(s *msgs.SkillStatus, at time.Time) {
	if p.find(s.ExecutionID) != nil || p.finished(s.ExecutionID) {
		return
	}
	for _, a := range p.open {
		if a.until.IsZero() {
			a.until = at
		}
		if !a.ended() {
			a.Ended = at
			a.fail("no end was reported before the next skill started")
		}
	}
	a := &pending{Attempt: Attempt{Execution: s.ExecutionID, Action: s.Action, Started: at}}
	p.see(a)
	p.open = append(p.open, a)
}

// see takes the picture before. What looks like the last frame at rest is at rest: that
// one may have been as near to moving as is allowed, and noise does the rest.
func (p *Pairer) see(a *pending) {
	f := p.frames.upTo(a.Started, p.usable)
	if f == nil || f == a.Before {
		return
	}
	a.Before = f
	earlier := p.frames.upTo(f.Stamp.Add(-p.options.MotionWindow), p.usable)
	a.restless = earlier != nil && p.moves(earlier, f) && (p.rest == nil || p.moves(p.rest, f))
}

func (p *Pairer) end(s *msgs.SkillStatus, at time.Time, outcome uint8) {
	a := p.find(s.ExecutionID)
	switch {
	case a == nil && p.finished(s.ExecutionID), a != nil && a.ended():
		return
	case a == nil:
		p.counts.Orphans++
		return
	}
	a.Ended, a.Outcome, a.Note = at, outcome, s.Message
	if outcome == msgs.TransitionSucceeded {
		a.Note = ""
	}
	if s.Phase == msgs.SkillStatusCanceled && a.Note == "" {
		a.Note = "canceled"
	}
}

func (p *Pairer) find(id msgs.UUID) *pending {
	for _, a := range p.open {
		if a.Execution == id {
			return a
		}
	}
	return nil
}

// remembered is how many executions are known after their end, so that their
// repeated statuses are not taken for new ones.
const remembered = 64

func (p *Pairer) finished(id msgs.UUID) bool {
	for _, known := range p.recent {
		if known == id {
			return true
		}
	}
	return false
}

// Tick says what time it is by the camera's clock, so that attempts are given up
// also when no frames come.
func (p *Pairer) Tick(now time.Time) []Attempt { return p.settle(now) }

// Flush gives up all attempts under way, for the reason named. The frames stay.
func (p *Pairer) Flush(reason string) []Attempt {
	var given []Attempt
	for _, a := range p.open {
		a.fail(reason)
		given = append(given, p.close(a))
	}
	p.open = nil
	return given
}

// MarkFailed marks the newest attempt under way as failed. It returns false if
// there is none.
func (p *Pairer) MarkFailed(note string) bool {
	if len(p.open) == 0 {
		return false
	}
	if note == "" {
		note = "marked failed"
	}
	p.open[len(p.open)-1].marked = note
	return true
}

func (p *Pairer) close(a *pending) Attempt {
	if a.marked != "" {
		a.fail(a.marked)
	}
	p.recent = append(p.recent, a.Execution)
	if len(p.recent) > remembered {
		p.recent = p.recent[1:]
	}
	return a.Attempt
}

// usable reports whether a frame shows anything.
func (p *Pairer) usable(f *Frame) bool {
	first := !f.looked
	view, err := f.look()
	blank := err == nil && view.Contrast() < p.options.Contrast
	if first && err != nil {
		p.counts.Unreadable++
	} else if first && blank {
		p.counts.Blank++
	}
	return err == nil && !blank
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
