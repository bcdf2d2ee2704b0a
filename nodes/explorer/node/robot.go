package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/bags"
	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/skills"
)

// patience is how long is waited until the node says that somebody does not answer.
type patience struct {
	// for the recorder, after a skill has ended: the scene may be long in coming to rest
	transition time.Duration
	camera     time.Duration // for any frame
	busy       time.Duration // for the executor to begin a skill
}

var usual = patience{transition: 30 * time.Second, camera: 5 * time.Second, busy: time.Minute}

// unrecorded is how many attempts in a row without a result end the exploration.
const unrecorded = 3

// robot is the explorer's, by way of executor and recorder.
type robot struct{ *Explorer }

// Try attempts a skill and waits until it is recorded. What is not recorded counts as failed, which
// is evidence of nothing.
func (e robot) Try(ctx context.Context, a strips.ActionID) (o bags.Outcome, reset bool, err error) {
	e.shown[1] = nil
	e.drainTransitions()
	reset = e.heed()
	if err := e.execute(ctx, a); err != nil {
		return bags.Failed, reset, err
	}
	m, err := e.recorded(ctx, a)
	switch {
	case err == nil:
		e.lost, o = 0, bags.Outcome(m.Outcome)
		e.shown[1] = e.thumbnail(e.next(ctx, e.node.Clock().Now()))
	case ctx.Err() != nil || !errors.Is(err, errUnrecorded):
		return bags.Failed, reset, err
	default:
		if e.lost++; e.lost == unrecorded {
			return bags.Failed, reset, fmt.Errorf("%d attempts in a row had no result: %w", unrecorded, err)
		}
		e.node.Log().Warn("an attempt counts as failed", "action", a, "error", err)
		o = bags.Failed
	}
	// What the recorder heard of while the skill ran made it fail. Otherwise it was before the start,
	// or after the end.
	if o == bags.Failed {
		e.heed()
	} else if e.disturbed() {
		reset = true
	}
	return o, reset, nil
}

// execute runs a skill. One that takes too long is canceled: the recorder has it as failed.
func (e *Explorer) execute(ctx context.Context, a strips.ActionID) error {
	for begun := time.Now(); ; {
		running, cancel := ctx, context.CancelFunc(func() {})
		if e.settings.skill > 0 {
			running, cancel = context.WithTimeout(ctx, e.settings.skill)
		}
		e.attend(a)
		_, err := e.skills.Execute(running, a)
		canceled := running.Err() != nil && ctx.Err() == nil
		cancel()
		switch {
		case err == nil, canceled && !errors.Is(err, skills.ErrRuns):
			return nil
		case !errors.Is(err, ros.ErrRejected):
			return err
		case time.Since(begun) > e.patience.busy:
			return fmt.Errorf(
				"the executor has not begun for %v: see what it runs; if action %d is none of its skills, "+
					"set actions or excluded_actions: %w", e.patience.busy, a, err)
		}
		select { // it runs another, perhaps one that was sent before a restart
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// errUnrecorded is the error of an attempt that the recorder did not record.
var errUnrecorded = errors.New("not recorded")

// recorded waits until the attempt that was made is recorded.
func (e *Explorer) recorded(ctx context.Context, a strips.ActionID) (*msgs.Transition, error) {
	// Whose transitions these are is known when ours is there, or does not come.
	var others []*msgs.Transition
	handle := func() {
		for _, m := range others {
			e.otherTransition(m)
		}
	}
	for over := time.After(e.patience.transition); ; {
		select {
		case m := <-e.transitions:
			if strips.ActionID(m.Action) != a || e.amends(m) {
				others = append(others, m)
				continue
			}
			handle()
			e.last = m
			return m, nil
		case <-over:
			if e.recorder.Publishers() == 0 {
				return nil,
					errors.New(
						"the recorder does not answer: start it again, and the explorer with its directory as the " +
							"parameter bag")
			}
			if err := e.executorFails(); err != nil {
				return nil, err
			}
			handle()
			return nil,
				fmt.Errorf(
					"%w: the recorder has not recorded action %d %v after it ended; its /diagnostics and its "+
						"log say why", errUnrecorded, a, e.patience.transition)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// drainTransitions handles what was recorded since the last attempt.
func (e *Explorer) drainTransitions() {
	for {
		select {
		case m := <-e.transitions:
			e.otherTransition(m)
		default:
			return
		}
	}
}

// otherTransition handles a transition that is not of the last attempt: the scene may have changed.
func (e *Explorer) otherTransition(m *msgs.Transition) {
	if e.amends(m) {
		e.node.Log().Warn("the last attempt was marked failed", "action", m.Action, "note", m.Note)
		if err := e.explorer.Retract(); err != nil {
			e.node.Log().Warn("facts are not learned again", "error", err)
		}
	} else {
		e.node.Log().Warn("somebody else runs skills, or one has ended that was sent before a restart: "+
			"the scene counts as changed", "action", m.Action)
	}
	e.disturb()
}

// amends says whether a transition is the last one again.
func (e *Explorer) amends(m *msgs.Transition) bool { return e.last != nil && m.Amends(e.last) }

// heard is what the executor said on skill_status since it was last sent a skill. It says why an
// attempt is not recorded.
type heard struct {
	action         uint32 // that was sent
	started, ended bool
	id             msgs.UUID // of the execution that started
	other          string    // what it said of something else
}

// attend begins to listen to what the executor says of an action.
func (e *Explorer) attend(a strips.ActionID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard = heard{action: uint32(a)}
}

func (e *Explorer) hear(m *msgs.SkillStatus) {
	e.mu.Lock()
	defer e.mu.Unlock()
	h, ends := &e.heard, m.Phase >= msgs.SkillStatusSucceeded
	switch {
	case m.Phase == msgs.SkillStatusIdle:
	case m.Action != h.action:
		h.other = fmt.Sprintf("action %d", m.Action)
	case !ends:
		h.started, h.id = true, m.ExecutionID
	case h.started && m.ExecutionID != h.id:
		h.other = "another execution_id"
	case h.started:
		h.ended = true
	}
}

// executorFails is what the executor does wrong where that is why an attempt is not recorded.
func (e *Explorer) executorFails() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	h := e.heard
	switch {
	case h.ended:
		return nil
	case h.other != "":
		return fmt.Errorf("the executor was sent action %d, and speaks on skill_status of %s: mend it",
			h.action, h.other)
	case h.started:
		return fmt.Errorf("the executor does not say on skill_status that action %d ended: it may still "+
			"run; see what the executor does", h.action)
	}
	return fmt.Errorf("the executor says nothing on skill_status of action %d, which it was sent: "+
		"mend it, or the name of the topic", h.action)
}
