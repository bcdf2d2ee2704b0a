package workcell

import (
	"image"
	"time"

	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/sim"
)

// An Execution is a skill that was begun.
type Execution struct {
	Action        strips.ActionID
	Started, Ends time.Time
	// Outcome is one of ExecuteSkillResult's and Note says why it is not success.
	// Both are meant for after End.
	Outcome uint8
	Note    string

	next   sim.State
	undone bool // the cell was reset
}

// Progress is the fraction done at a time.
func (e *Execution) Progress(now time.Time) float32 {
	whole := e.Ends.Sub(e.Started)
	if whole <= 0 {
		return 1
	}
	return float32(min(1, max(0, now.Sub(e.Started).Seconds()/whole.Seconds())))
}

// undo keeps the skill from changing the world.
func (e *Execution) undo(note string) {
	e.undone, e.Outcome, e.Note = true, msgs.ExecuteSkillResultFailed, note
}

// Begin starts a skill. A skill that is not applicable, or unknown, ends soon and
// refused. The clock is asked when the image to come is ready.
func (r *Cell) Begin(a strips.ActionID, clock func() time.Time) (*Execution, error) {
	r.scene.Lock()
	defer r.scene.Unlock()
	r.mu.Lock()
	if r.running != nil {
		r.mu.Unlock()
		return nil, ErrBusy
	}
	e, tuning := r.decide(a), r.tuning
	moves := e.next != r.state
	r.mu.Unlock()
	var img *image.RGBA
	if moves {
		var err error
		if img, err = r.render(e.next); err != nil {
			return nil, err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e.Started = clock()
	e.Ends = e.Started.Add(tuning.Skill)
	if e.Outcome == msgs.ExecuteSkillResultRefused {
		e.Ends = e.Started.Add(tuning.Skill / 10)
	}
	if moves {
		r.show.fade(img, e.Started, e.Ends.Add(tuning.Settling))
	}
	r.running = e
	return e, nil
}

// decide draws what will come of a skill.
func (r *Cell) decide(a strips.ActionID) *Execution {
	e := &Execution{Action: a, next: r.state}
	next, ok := r.world.Apply(r.state, a)
	fails, slips := r.probability(r.tuning.Fail), r.probability(r.tuning.Slip)
	switch {
	case !ok:
		e.Outcome, e.Note = msgs.ExecuteSkillResultRefused, "not applicable: "+r.describe(a)
	case take(&r.faults.fail) || fails:
		e.Outcome, e.Note = msgs.ExecuteSkillResultFailed, "the skill failed: "+r.describe(a)
	case take(&r.faults.slip) || slips:
		e.Outcome = msgs.ExecuteSkillResultSucceeded
	default:
		e.Outcome, e.next = msgs.ExecuteSkillResultSucceeded, next
	}
	return e
}

// probability is true with a probability. It always draws, so that probabilities do
// not shift what is drawn later.
func (r *Cell) probability(p float64) bool { return r.random.Float64() < p }

// End finishes a skill whose time is up.
func (r *Cell) End(e *Execution) {
	r.scene.Lock()
	defer r.scene.Unlock()
	r.end(e)
}

func (r *Cell) end(e *Execution) {
	r.mu.Lock()
	if !e.undone {
		r.state = e.next
	}
	hand := r.probability(r.tuning.Move)
	r.running = nil
	r.mu.Unlock()
	if hand {
		r.shift() // where nothing can be moved, nothing is
	}
}

// Cancel stops a skill. In its first half everything goes back to where it was,
// later the world is as after it; the outcome is failed either way.
func (r *Cell) Cancel(e *Execution, now time.Time) {
	r.scene.Lock()
	defer r.scene.Unlock()
	r.mu.Lock()
	e.Outcome, e.Note = msgs.ExecuteSkillResultFailed, "canceled"
	if e.Progress(now) < 0.5 && !e.undone {
		e.next = r.state
		r.show.cut(r.show.from)
	}
	r.mu.Unlock()
	r.end(e)
}
