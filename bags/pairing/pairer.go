package pairing

import (
	"fmt"
	"slices"
	"time"

	"stripswm/internal/clocks"
	"stripswm/msgs"
)

// Counts of what a Pairer could not use.
type Counts struct {
	Unordered     int // frames not newer than the one before
	Blank         int // frames looked at that showed nothing
	Unreadable    int // frames looked at that did not decode
	UnmatchedEnds int // ends of skills whose start was not seen
	Outliers      int // frames stamped far from those before and after them
	Jumps         int // times that the camera's clock was set
}

// A Pairer makes attempts from frames and statuses. It is not safe for
// concurrent use. It keeps Options.History of frames, as far as Options.Memory goes.
type Pairer struct {
	options   Options
	frames    frames
	rest      *Frame     // the last one found at rest
	reset     time.Time  // frames from before show the scene before somebody changed it
	ended     time.Time  // frames from before may show the scene before what the last skill did
	suspected *Frame     // stamped far from the others, and not borne out yet; nil if there is none
	open      []*pending // by start
	recent    executions
	dropped   executions // unfit from their start
	counts    Counts

	camera, executor clocks.Source
	said             time.Time // stamp of the last status
}

// New makes a Pairer.
func New(o Options) *Pairer { return &Pairer{options: o.withDefaults()} }

// Delays are from stamp to receipt, at least: of images and of statuses.
func (p *Pairer) Delays() (camera, executor time.Duration) {
	return p.camera.Delay(), p.executor.Delay()
}

// ClockWarning says what somebody should know of the clocks; "" if there is nothing.
func (p *Pairer) ClockWarning() string {
	camera, executor := p.camera.Warning("the camera"), p.executor.Warning("the skill executor")
	if camera != "" && executor != "" {
		return camera + "; " + executor
	}
	return camera + executor
}

// Kept is how far back frames are kept: Options.History, or what Options.Memory has room for.
func (p *Pairer) Kept() time.Duration {
	if len(p.frames) == 0 {
		return 0
	}
	return p.frames.newest().Sub(p.frames[0].Received)
}

// Counts is what could not be used so far.
func (p *Pairer) Counts() Counts { return p.counts }

// Status takes what the executor says and returns the attempts that it completes. Statuses may be
// repeated, and may have no stamp. Of an unfit start (action 0, a stamp far from those before) an
// attempt without images comes, whose note says why.
func (p *Pairer) Status(s *msgs.SkillStatus, received time.Time) []RecordedAttempt {
	stamp, stamped, suspect := s.Header.Stamp.GoTime(), !s.Header.Stamp.IsZero(), false
	if stamped && stamp != p.said { // a status that is repeated tells nothing of the clock
		suspect = p.executor.Hear(stamp, received) == clocks.Suspect
		p.said = stamp
	}
	var unfit []RecordedAttempt
	if s.Phase == msgs.SkillStatusStarted {
		at := clocks.Unstamped(received)
		if stamped {
			at = p.executor.Earliest(stamp)
		}
		unfit = p.start(s, at, suspect)
	} else if outcome, ends := outcomes[s.Phase]; ends {
		p.end(s, received, outcome)
	}
	return append(unfit, p.settle(p.frames.newest())...)
}

// start begins an attempt, at the earliest then, or returns it if it is unfit.
func (p *Pairer) start(s *msgs.SkillStatus, at time.Time, suspect bool) []RecordedAttempt {
	if p.find(s.ExecutionID) != nil || p.finished(s.ExecutionID) {
		return nil
	}
	a := &pending{RecordedAttempt: RecordedAttempt{Execution: s.ExecutionID, Action: s.Action,
		Started: at}, since: p.ended}
	if reason := unfit(s, suspect); reason != "" {
		if (s.ExecutionID != msgs.UUID{}) {
			p.dropped.add(s.ExecutionID)
		}
		if !suspect {
			p.bound(at)
		}
		a.fail(reason)
		return []RecordedAttempt{a.RecordedAttempt}
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
	p.see(a)
	p.open = append(p.open, a)
	return nil
}

// see takes the image before. What looks like the last frame at rest is at rest: that
// one may have been as near to moving as is allowed, and noise does the rest.
func (p *Pairer) see(a *pending) {
	f := p.by(a.Started)
	if f == nil || f == a.Before {
		return
	}
	a.Before = f
	earlier := p.beforeMotion(f)
	a.restless = earlier != nil && p.moves(earlier, f) && (p.rest == nil || p.moves(p.rest, f))
}

// end takes that a skill ended, at the latest when that was received.
func (p *Pairer) end(s *msgs.SkillStatus, received time.Time, outcome uint8) {
	a := p.find(s.ExecutionID)
	switch {
	case a == nil && slices.Contains(p.dropped, s.ExecutionID):
		p.ended = received
		return
	case a == nil && p.finished(s.ExecutionID), a != nil && a.ended():
		return
	case a == nil:
		p.counts.UnmatchedEnds++
		return
	}
	a.Ended, a.Outcome, a.Note = received, outcome, s.Message
	if outcome != msgs.TransitionRefused { // which moves nothing
		p.ended = received
	}
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

func (p *Pairer) finished(id msgs.UUID) bool {
	return slices.Contains(p.recent, id) || slices.Contains(p.dropped, id)
}

// Tick says what time it is by the receiver's clock, so that attempts are given up also when no
// frames come.
func (p *Pairer) Tick(now time.Time) []RecordedAttempt { return p.settle(now) }

// Flush gives up all attempts under way, for the reason named. The frames stay.
func (p *Pairer) Flush(reason string) []RecordedAttempt {
	var given []RecordedAttempt
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

func (p *Pairer) close(a *pending) RecordedAttempt {
	if a.marked != "" {
		a.fail(a.marked)
	}
	p.recent.add(a.Execution)
	return a.RecordedAttempt
}

// usable reports whether a frame shows anything.
func (p *Pairer) usable(f *Frame) bool {
	first := !f.examined
	view, err := f.thumbnail()
	blank := err == nil && view.Contrast() < p.options.Contrast
	if first && err != nil {
		p.counts.Unreadable++
	} else if first && blank {
		p.counts.Blank++
	}
	return err == nil && !blank
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
