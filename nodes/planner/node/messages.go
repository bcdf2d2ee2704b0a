package node

import (
	"context"
	"errors"

	"stripswm/models/pixels"
	"stripswm/models/planner"
	"stripswm/models/strips"
	"stripswm/msgs"
	"stripswm/nodes/execute"
	"stripswm/nodes/ros"
)

// observed is an observation as a message.
func (s *session) observed(o execute.Observation) msgs.PredicateState {
	m := msgs.PredicateState{
		Header: msgs.Header{Stamp: msgs.TimeFrom(o.Stamp), FrameID: s.frameID()},
		Bundle: s.bundle, Values: o.Code.Bools(), Confidence: o.Probabilities, KnownState: int32(o.Node),
	}
	for _, p := range o.Uncertain {
		m.Uncertain = append(m.Uncertain, uint32(p))
	}
	return m
}

// predicted is a state of a plan as a message.
func (s *session) predicted(state strips.State, stamp msgs.Time) msgs.PredicateState {
	m := msgs.PredicateState{Header: msgs.Header{Stamp: stamp, FrameID: s.frameID()}, Bundle: s.bundle,
		Values: state.Bools(), KnownState: -1}
	if nodes := planner.Locate(s.model, state).Nodes; len(nodes) > 0 {
		m.KnownState = int32(nodes[0])
	}
	return m
}

// sequence is a plan as a message.
func (s *session) sequence(r planner.Result) msgs.ActionSequence {
	stamp := msgs.TimeFrom(s.node.Clock().Now())
	m := msgs.ActionSequence{Header: msgs.Header{Stamp: stamp}, Bundle: s.bundle}
	for _, a := range r.Plan {
		m.Actions = append(m.Actions, uint32(a))
	}
	for _, state := range r.States {
		m.Expected = append(m.Expected, s.predicted(state, stamp))
	}
	return m
}

func (s *session) step(step execute.Step) *msgs.PlanToImageFeedback {
	m := &msgs.PlanToImageFeedback{
		Step: uint32(step.Executed), Steps: uint32(step.Steps),
		Observed: s.observed(step.Observed), Expected: s.predicted(step.Expected,
			msgs.TimeFrom(s.node.Clock().Now())),
	}
	for _, p := range step.Differing {
		m.Differing = append(m.Differing, uint32(p))
	}
	return m
}

// errGoal is wrapped by errors about the goal.
var errGoal = errors.New("goal")

var stopCodes = map[execute.Reason]uint16{
	execute.Unsolvable:   msgs.PlanToImageResultUnsolvable,
	execute.LimitReached: msgs.PlanToImageResultLimitReached,
	execute.Unrecognized: msgs.PlanToImageResultStartUnknown,
	execute.NoFrame:      msgs.PlanToImageResultNoImage,
	execute.SkillFailed:  msgs.PlanToImageResultSkillFailed,
}

// errorCode is PlanToImage's code for an error.
func errorCode(err error) uint16 {
	var s *execute.Stop
	switch {
	case err == nil:
		return msgs.PlanToImageResultNone
	case errors.Is(err, ros.ErrBusy):
		return msgs.PlanToImageResultBusy
	case errors.Is(err, errNotActive):
		return msgs.PlanToImageResultNotActive
	case errors.Is(err, ros.ErrCanceled), errors.Is(err, context.Canceled):
		return msgs.PlanToImageResultCanceled
	case errors.As(err, &s):
		if s.Reason == execute.Unrecognized && errors.Is(err, errGoal) {
			return msgs.PlanToImageResultGoalUnknown
		}
		return stopCodes[s.Reason]
	case errors.Is(err, pixels.ErrImage):
		return msgs.PlanToImageResultBadImage
	}
	return msgs.PlanToImageResultInternalError
}
