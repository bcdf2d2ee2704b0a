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

// A Pairer makes attempts from frames and statuses. It is not safe for concurrent use.
type Pairer struct {
	options   Options
	frames    frames
	rest      *Frame     // the last one found at rest
	reset     time.Time  // frames up to then show the scene before somebody changed it
	ended     time.Time  // frames up to then may show the scene before the last skill
	suspected *Frame     // stamped far from the others, until the next one tells why; or nil
	open      []*pending // attempts under way, by start
	recent    executions // that are done with
	dropped   executions // whose start was unfit
	counts    Counts

	camera, executor clocks.Source
	said             time.Time // stamp of the last status
}

// New makes a Pairer.
func New(o Options) *Pairer { return &Pairer{options: o.withDefaults()} }

// Delays are the smallest times from stamp to receipt, of images and of statuses.
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
// repeated, and may have no stamp. An unfit start (action 0, a stamp far from those before) becomes
// an attempt without images, whose note says why.
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

// start begins an attempt, or returns it if it is unfit; at is the earliest possible time.
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

// see takes the image before. A frame that looks like the last one at rest is at rest too, even if
// it differs from the one a motion window earlier: that one may have moved by nearly the threshold.
func (p *Pairer) see(a *pending) {
	f := p.by(a.Started)
	if f == nil || f == a.Before {
		return
	}
	a.Before = f
	earlier := p.beforeMotion(f)
	a.restless = earlier != nil && p.moves(earlier, f) && (p.rest == nil || p.moves(p.rest, f))
}

// end takes the end of a skill, which happened when it was received at the latest.
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

// Tick gives up attempts that wait for too long. It is needed where no frames come.
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

// Frame takes the next image, in the order of receipt, and returns the attempts that it completes.
// One that is stamped far from the others waits for the next. If that one follows it, the camera's
// clock was set; if not, it was an outlier, perhaps of another publisher.
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

// restart forgets everything if the receiver's clock went back, as that of a simulation may.
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

// by finds the last usable frame that was received by then, and so taken by then.
func (p *Pairer) by(t time.Time) *Frame {
	return p.frames.last(func(f *Frame) bool { return !f.Received.After(t) && p.usable(f) })
}

// beforeMotion finds the frame a motion window before another, which tells whether the scene moves.
func (p *Pairer) beforeMotion(f *Frame) *Frame {
	limit := f.taken.Add(-p.options.MotionWindow)
	return p.frames.last(func(g *Frame) bool { return !g.taken.After(limit) && p.usable(g) })
}

// A RecordedAttempt is one execution of a skill with what the camera saw.
type RecordedAttempt struct {
	Execution msgs.UUID
	Action    uint32
	Outcome   uint8 // msgs.TransitionSucceeded, TransitionRefused or TransitionFailed
	Note      string
	Started   time.Time // the earliest possible, by the receiver's clock
	Ended     time.Time // when the end was received; zero if none was
	Before    *Frame    // nil if the camera showed nothing before
	After     *Frame    // nil if the camera showed nothing after
}

// Complete reports whether there are both images, without which an attempt cannot be recorded.
func (a *RecordedAttempt) Complete() bool { return a.Before != nil && a.After != nil }

// Message is a complete attempt as a message.
func (a *RecordedAttempt) Message() *msgs.Transition {
	return &msgs.Transition{
		Header:     msgs.Header{Stamp: msgs.TimeFrom(a.After.Stamp), FrameID: a.After.FrameID},
		ImageTopic: a.After.Topic, Before: msgs.TimeFrom(a.Before.Stamp),
		Action: a.Action, After: msgs.TimeFrom(a.After.Stamp), Outcome: a.Outcome, Note: a.Note,
	}
}

// fail makes the attempt evidence of nothing. Its note keeps the reasons given before.
func (a *RecordedAttempt) fail(note string) {
	if a.Note != "" {
		note = a.Note + "; " + note
	}
	a.Outcome, a.Note = msgs.TransitionFailed, note
}

// pending is an attempt that lacks its end or its image after.
type pending struct {
	RecordedAttempt
	marked   string    // why an operator marked it failed
	until    time.Time // when the next skill started: later frames show something else
	since    time.Time // when the skill before ended
	checked  time.Time // frames received up to then were looked at
	restless bool      // the scene moved in the image before
}

func (a *pending) ended() bool { return !a.Ended.IsZero() }

// outcomes of the phases that end a skill. What a canceled skill did is unknown.
var outcomes = map[uint8]uint8{
	msgs.SkillStatusSucceeded: msgs.TransitionSucceeded,
	msgs.SkillStatusRefused:   msgs.TransitionRefused,
	msgs.SkillStatusFailed:    msgs.TransitionFailed,
	msgs.SkillStatusCanceled:  msgs.TransitionFailed,
}

// settle looks for the image after of each attempt, and returns the attempts that are done.
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

// settled finds the first frame at rest that was surely taken after the end and before the next
// skill's start.
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

// limit is until when a frame has to be received to show what the skill did.
func (p *Pairer) limit(a *pending) time.Time {
	limit := a.Ended.Add(p.options.Timeout)
	if !a.until.IsZero() && a.until.Before(limit) {
		return a.until
	}
	return limit
}

// atRest compares a frame with the one a motion window earlier. Without that one it is not known
// to be at rest.
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

// lastAfter is the image after of an attempt that did not settle: the last one since its start, or
// nil.
func (p *Pairer) lastAfter(a *pending) *Frame {
	f := p.by(p.limit(a))
	if f == nil || f.Received.Before(a.Started) {
		return nil
	}
	return f
}

// givenUp ends an attempt that can no longer settle, with the last image there is.
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

// doubt fails an attempt whose images may not be from before and after. The note names the clocks
// if they may be the cause.
func (p *Pairer) doubt(a *pending, note string) {
	if warning := p.ClockWarning(); warning != "" {
		note += " (" + warning + ")"
	}
	a.fail(note)
}

// Reset is told that somebody changed the scene, and returns the attempts under way, all failed: it
// may have been changed before the message came, so neither outcome nor images are evidence. Frames
// received until then show the old scene. They are no image before of a later attempt, and do not
// show what the new scene looks like at rest.
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

// unfit says why no attempt can be made of a start, and what to do; "" if one can.
func unfit(s *msgs.SkillStatus, suspect bool) string {
	switch {
	case s.Action == 0:
		return "a skill started with action 0; have the executor number its skills from 1"
	case s.ExecutionID == msgs.UUID{}:
		return "a skill started whose execution_id is all zero; have the executor give each execution " +
			"one of its own"
	case suspect:
		return "its start is stamped far from the time that the executor's clock had so far; see " +
			"whether it was set, or leave the stamps zero"
	}
	return ""
}

// bound keeps attempts whose skill has ended from taking an image after an unfit start: that skill
// may have moved something.
func (p *Pairer) bound(at time.Time) {
	for _, a := range p.open {
		if a.ended() && a.until.IsZero() {
			a.until = at
		}
	}
}

// executions are the latest ones of a kind, so that a repeated status is not taken for a new one.
type executions []msgs.UUID

func (e *executions) add(id msgs.UUID) {
	*e = append(*e, id)
	if len(*e) > remembered {
		*e = (*e)[1:]
	}
}
