package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/models/bundle"
	"stripswm/models/imageplan"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/nodes/execute"
)

// recognizeGoal returns what has to hold: the facts of a goal, or what its image shows.
func (s *session) recognizeGoal(ctx context.Context, w goalJob, policy execute.Policy) (
	strips.Goal, error,
) {
	if w.facts != nil {
		goal, err := s.model.ParseGoal(*w.facts)
		if err != nil {
			return nil, unknownGoal(err.Error())
		}
		return goal, nil
	}
	img, err := w.goal.frame.rgb(s.images.Frame().Bits)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errGoal, err)
	}
	if w.region != (pixels.Region{}) {
		return s.recognizeRegion(ctx, img, w.region, policy)
	}
	o, err := s.observer.Goal(img)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errGoal, err)
	}
	if !o.Recognized() {
		return nil, unknownGoal(o.Reason)
	}
	return strips.GoalOf(o.Code), nil
}

// recognizeRegion returns what a region of a goal image shows. The rest is as the camera shows it.
func (s *session) recognizeRegion(ctx context.Context, img pixels.RGB, region pixels.Region,
	policy execute.Policy,
) (strips.Goal, error) {
	if policy.FrameTime > 0 {
		limited, cancel := context.WithTimeout(ctx, policy.FrameTime)
		defer cancel()
		ctx = limited
	}
	f, err := s.camera.next(ctx, time.Time{})
	if err != nil {
		return nil, &execute.Stop{Reason: execute.NoFrame, Detail: "for the rest of the goal image",
			Err: err}
	}
	rest, err := f.rgb(s.images.Frame().Bits)
	if err != nil {
		return nil, err
	}
	r, goal, err := s.observer.Region(img, rest, region)
	if errors.Is(err, imageplan.ErrUnrecognized) || errors.Is(err, bundle.ErrNoPart) {
		return nil, unknownGoal(err.Error())
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errGoal, err)
	}
	if !r.Known() {
		return nil, unknownGoal(r.Explain())
	}
	return goal, nil
}

// unknownGoal is the error of a goal that is not planned to.
func unknownGoal(reason string) error {
	return fmt.Errorf("%w: %w", errGoal, &execute.Stop{Reason: execute.Unrecognized, Detail: reason})
}
