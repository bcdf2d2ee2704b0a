package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/bags"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/exploration"
	"stripswm/nodes/ros"
	"stripswm/nodes/skills"
)

// patience is how long is waited until the node says that somebody does not answer.
type patience struct {
	// for the recorder, after a skill has ended: the scene may be long in coming to rest
	transition time.Duration
	frame      time.Duration // for a frame, after the recorder's word of it
	camera     time.Duration // for any frame
	busy       time.Duration // for the executor to begin a skill
	learner    time.Duration // for one that went away
	bundle     time.Duration // for the learner's word of one that it learned before
}

var usual = patience{transition: 30 * time.Second, frame: time.Second, camera: 5 * time.Second,
	busy: time.Minute, learner: 10 * time.Second, bundle: 2 * time.Second}

// unseen is how many attempts in a row may come to nothing.
const unseen = 3

// robot is the explorer's, by way of executor, recorder and camera.
type robot struct{ *Explorer }

// Try attempts a skill, waits until it is recorded, and looks up its images. What is not recorded,
// or not seen, counts as failed, which is evidence of nothing.
func (e robot) Try(ctx context.Context, a strips.ActionID) (exploration.ImageAttempt, error) {
	e.drainTransitions()
	attempt := exploration.ImageAttempt{Action: a, Outcome: bags.Failed, Before: e.observed,
		Reset: e.heed()}
	if err := e.execute(ctx, a); err != nil {
		return attempt, err
	}
	m, err := e.recorded(ctx, a)
	if err == nil {
		err = e.images(ctx, m, &attempt)
	}
	switch {
	case err == nil:
		e.lost = 0
	case ctx.Err() != nil || !errors.Is(err, errUnseen):
		return attempt, err
	default:
		if e.lost++; e.lost == unseen {
			return attempt, fmt.Errorf("%d attempts in a row had no result: %w", unseen, err)
		}
		e.node.Log().Warn("an attempt counts as failed", "action", a, "error", err)
		if attempt.After, err = e.see(ctx); err != nil {
			return attempt, err
		}
	}
	// What the recorder heard of while the skill ran made it fail. Otherwise it was before the start,
	// or after the end.
	if attempt.Outcome == bags.Failed {
		e.heed()
	} else if e.disturbed() {
		attempt.Reset = true
	}
	return attempt, nil
}

// execute runs a skill. One that takes too long is canceled: the recorder has it as failed.
func (e *Explorer) execute(ctx context.Context, a strips.ActionID) error {
	for begun := time.Now(); ; {
		e.film.begin(time.Now())
		running, cancel := ctx, context.CancelFunc(func() {})
		if e.settings.skill > 0 {
			running, cancel = context.WithTimeout(ctx, e.settings.skill)
		}
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

// errUnseen is the error of an attempt of which not all is known.
var errUnseen = errors.New("not seen")

// recorded waits until the attempt that was made is recorded.
func (e *Explorer) recorded(ctx context.Context, a strips.ActionID) (*msgs.Transition, error) {
	for over := time.After(e.patience.transition); ; {
		select {
		case m := <-e.transitions:
			if strips.ActionID(m.Action) == a && !e.amends(m) {
				e.last, e.made = m, e.session.Attempts()
				return m, nil
			}
			e.otherTransition(m)
		case <-over:
			if e.recorder.Publishers() == 0 {
				return nil,
					errors.New(
						"the recorder does not answer: start it again, and the explorer with its directory as the " +
							"parameter bag")
			}
			return nil,
				fmt.Errorf(
					"%w: the recorder has not recorded action %d %v after it ended; its /diagnostics and its "+
						"log say why", errUnseen, a, e.patience.transition)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// images looks up those of an attempt, and then what came of it.
func (e *Explorer) images(ctx context.Context, m *msgs.Transition,
	attempt *exploration.ImageAttempt,
) error {
	e.after = m.After.GoTime()
	before, err := e.image(ctx, m.Before)
	if err != nil {
		return err
	}
	after, err := e.image(ctx, m.After)
	if err != nil {
		return err
	}
	attempt.Before, attempt.After, attempt.Outcome = before, after, bags.Outcome(m.Outcome)
	return nil
}

func (e *Explorer) image(ctx context.Context, stamp msgs.Time) (pixels.RGB, error) {
	waiting, cancel := context.WithTimeout(ctx, e.patience.frame)
	defer cancel()
	f, ok := e.film.at(waiting, stamp.GoTime())
	if !ok {
		return pixels.RGB{},
			fmt.Errorf(
				"%w: the image of %v that the recorder has did not come here: see that camera/image_raw is "+
					"the recorder's, and image_transport", errUnseen, stamp.GoTime())
	}
	img, err := f.RGB(e.settings.camera.Bits)
	if err != nil {
		return img, fmt.Errorf("%w: %w", errUnseen, err)
	}
	return img, nil
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
		e.session.Fail(e.made)
	} else {
		e.node.Log().Warn("somebody else runs skills: the scene counts as changed", "action", m.Action)
	}
	e.disturb()
}

// amends says whether a transition is the last one again, with another outcome.
func (e *Explorer) amends(m *msgs.Transition) bool {
	return e.last != nil && m.Action == e.last.Action && m.ImageTopic == e.last.ImageTopic &&
		m.Before == e.last.Before && m.After == e.last.After
}
